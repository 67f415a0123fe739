#define _GNU_SOURCE
#include "KataThreads.h"

#if defined(__linux__)

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#define UNSEEN __attribute__((disable_sanitizer_instrumentation))
#endif
#endif
#ifndef UNSEEN
#define UNSEEN
#endif

/// An entry of a folder, as the kernel lists it: getdents(2).
struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

UNSEEN int32_t kata_current_thread(void) { return (int32_t)syscall(SYS_gettid); }

/// The number that a text begins with; moves behind it.
UNSEEN static uint64_t number(const char **text) {
  uint64_t value = 0;
  for (; **text >= '0' && **text <= '9'; (*text)++) value = value * 10 + (uint64_t)(**text - '0');
  return value;
}

/// Opens a file of a thread's; less than 0 where there is no such thread any more.
UNSEEN static int open_file(int folder, const char *thread, const char *name) {
  char path[64];
  size_t end = 0;
  for (const char *from = thread; *from && end < 32; from++) path[end++] = *from;
  path[end++] = '/';
  for (const char *from = name; *from; from++) path[end++] = *from;
  path[end] = 0;
  return (int)syscall(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC);
}

/// Reads what a file says into `buffer`, and a zero behind it; whether there was any.
UNSEEN static bool read_all(int file, char *buffer, size_t size) {
  if (file < 0) return false;
  const long count = syscall(SYS_pread64, file, buffer, size - 1, (off_t)0);
  if (count <= 0) return false;
  buffer[count] = 0;
  return true;
}

/// The same of a file of a thread's.
UNSEEN static bool read_file(
    int folder, const char *thread, const char *name, char *buffer, size_t size) {
  const int file = open_file(folder, thread, name);
  const bool is_read = read_all(file, buffer, size);
  if (file >= 0) syscall(SYS_close, file);
  return is_read;
}

/// Whether a thread sleeps, as its `stat` says.
UNSEEN static bool is_asleep_in(const char *stat) {
  // The state follows the name, which stands in parentheses and may hold some itself.
  const char *end = NULL;
  for (const char *text = stat; *text; text++) {
    if (*text == ')') end = text;
  }
  return end && end[1] == ' ' && end[2] == 'S';
}

/// Looks at one thread.
///
/// The count is read before the state. A thread with the same count in two looks, asleep in the first,
/// has slept from the first look's state to the second look's count.
UNSEEN static void look(int folder, const char *thread, struct kata_thread_look *look) {
  char buffer[1024];
  look->is_asleep = false;
  look->slices = 0;
  // A thread that ends between the listing and the look is a change that the next look sees.
  if (!read_file(folder, thread, "schedstat", buffer, sizeof buffer)) return;
  // Time on a core, time in the line for one, how often.
  const char *text = buffer;
  for (int figure = 0; figure < 2; figure++) {
    number(&text);
    if (*text == ' ') text++;
  }
  look->slices = number(&text);
  if (!read_file(folder, thread, "stat", buffer, sizeof buffer)) return;
  look->is_asleep = is_asleep_in(buffer);
}

/// The kernel's list of this process's threads, in the order in which they began.
struct listing {
  int folder;
  long size, at;
  _Alignas(struct entry) char entries[4096];
};

UNSEEN static bool begin_listing(struct listing *listing) {
  listing->size = listing->at = 0;
  listing->folder =
      (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return listing->folder >= 0;
}

/// The name of the next thread but the calling one; null behind the last, and then the listing is closed.
UNSEEN static const char *next_thread(struct listing *listing, uint64_t *thread) {
  while (true) {
    if (listing->at >= listing->size) {
      listing->at = 0;
      listing->size =
          syscall(SYS_getdents64, listing->folder, listing->entries, sizeof listing->entries);
      if (listing->size <= 0) {
        syscall(SYS_close, listing->folder);
        return NULL;
      }
    }
    const struct entry *entry = (const struct entry *)(listing->entries + listing->at);
    listing->at += entry->length;
    const char *name = entry->name;
    *thread = number(&name);
    if (*thread != 0 && *thread != (uint64_t)kata_current_thread()) return entry->name;
  }
}

UNSEEN int32_t kata_look_at_threads(struct kata_thread_look *looks, int32_t capacity) {
  struct listing listing;
  if (!begin_listing(&listing)) return -1;
  int32_t found = 0;
  uint64_t thread;
  const char *name;
  while ((name = next_thread(&listing, &thread))) {
    if (found < capacity) {
      looks[found].number = (int32_t)thread;
      look(listing.folder, name, &looks[found]);
    }
    found++;
  }
  return listing.size < 0 ? -1 : found;
}

/// Files stay open from look to look, for to open one takes longer than to read it. Each tells of the thread that it was
/// opened for, and of no other that has its number later.
enum { most_kept = 128 };
static struct {
  uint64_t thread;
  int stat;
} kept[most_kept];
static int32_t kept_count;
static _Atomic(bool) is_kept_in_use;

/// How often threads of this process, but the calling one, were taken off a core.
UNSEEN static long switches(void) {
  struct rusage all, own;
  syscall(SYS_getrusage, RUSAGE_SELF, &all);
  syscall(SYS_getrusage, RUSAGE_THREAD, &own);
  return all.ru_nvcsw + all.ru_nivcsw - own.ru_nvcsw - own.ru_nivcsw;
}

/// Opens the files of new threads, and closes those of threads that have ended; false where a thread is awake that there
/// is no room for, or the system doesn't tell.
UNSEEN static bool keep_files(void) {
  struct listing listing;
  if (!begin_listing(&listing)) return false;
  int32_t left = 0, next = 0;
  bool may_be_asleep = true;
  uint64_t thread;
  const char *name;
  while ((name = next_thread(&listing, &thread))) {
    if (left == most_kept) {
      char buffer[64];
      may_be_asleep = may_be_asleep && read_file(listing.folder, name, "stat", buffer, sizeof buffer)
          && is_asleep_in(buffer);
      continue;
    }
    // In the list's order, so what doesn't come next has ended.
    while (next < kept_count && kept[next].thread != thread) syscall(SYS_close, kept[next++].stat);
    if (next < kept_count) {
      kept[left++] = kept[next++];
      continue;
    }
    const int stat = open_file(listing.folder, name, "stat");
    if (stat < 0) {
      may_be_asleep = false;
      continue;
    }
    kept[left].thread = thread;
    kept[left++].stat = stat;
    next = kept_count = left;
  }
  while (next < kept_count) syscall(SYS_close, kept[next++].stat);
  kept_count = left;
  return may_be_asleep && listing.size == 0;
}

UNSEEN bool kata_all_asleep(void) {
  if (atomic_exchange(&is_kept_in_use, true)) return false;
  const long before = switches();
  bool is_asleep = keep_files();
  // The newest first, for they are the likeliest to be awake.
  for (int32_t index = kept_count - 1; index >= 0 && is_asleep; index--) {
    // The state stands in front of all the figures.
    char buffer[64];
    is_asleep = read_all(kept[index].stat, buffer, sizeof buffer) && is_asleep_in(buffer);
  }
  is_asleep = is_asleep && switches() == before;
  atomic_store(&is_kept_in_use, false);
  return is_asleep;
}

#else

int32_t kata_current_thread(void) { return 0; }

int32_t kata_look_at_threads(struct kata_thread_look *looks, int32_t capacity) {
  (void)looks;
  (void)capacity;
  return -1;
}

bool kata_all_asleep(void) { return false; }

#endif
