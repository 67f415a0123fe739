#define _GNU_SOURCE
#include "KataThreads.h"

#if defined(__linux__)

#include <errno.h>
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

/// Parses the number at the start of a text, and moves the pointer behind it.
UNSEEN static uint64_t number(const char **text) {
  uint64_t value = 0;
  for (; **text >= '0' && **text <= '9'; (*text)++) value = value * 10 + (uint64_t)(**text - '0');
  return value;
}

/// Opens a file of a thread; less than 0 if the thread has ended.
UNSEEN static int open_file(int folder, const char *thread, const char *name) {
  char path[64];
  size_t end = 0;
  for (const char *from = thread; *from && end < 32; from++) path[end++] = *from;
  path[end++] = '/';
  for (const char *from = name; *from; from++) path[end++] = *from;
  path[end] = 0;
  return (int)syscall(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC);
}

/// Reads a file into `buffer`, followed by a zero; whether anything was read.
UNSEEN static bool read_all(int file, char *buffer, size_t size) {
  if (file < 0) return false;
  const long count = syscall(SYS_pread64, file, buffer, size - 1, (off_t)0);
  if (count <= 0) return false;
  buffer[count] = 0;
  return true;
}

/// The files about a thread; each less than 0 if it isn't open.
struct files {
  int schedstat, stat;
};

UNSEEN static struct files open_files(int folder, const char *thread) {
  struct files files = {open_file(folder, thread, "schedstat"), open_file(folder, thread, "stat")};
  return files;
}

/// The same file under a higher descriptor, which code that closes its standard output twice
/// doesn't close.
UNSEEN static int moved_up(int file) {
  if (file < 0) return file;
  const int high = (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 64);
  if (high >= 0) syscall(SYS_close, file);
  // Without room it stays where it is; if other code has closed it meanwhile, it's none.
  return high >= 0 ? high : errno == EBADF ? -1 : file;
}

UNSEEN static struct files open_files_to_keep(int folder, const char *thread) {
  struct files files = open_files(folder, thread);
  files.schedstat = moved_up(files.schedstat);
  files.stat = moved_up(files.stat);
  return files;
}

UNSEEN static void close_files(struct files files) {
  if (files.schedstat >= 0) syscall(SYS_close, files.schedstat);
  if (files.stat >= 0) syscall(SYS_close, files.stat);
}

/// Whether a thread sleeps, according to its `stat`.
UNSEEN static bool is_asleep(struct files files) {
  // Enough for all fields before the state.
  char buffer[64];
  if (!read_all(files.stat, buffer, sizeof buffer)) return false;
  // The state follows the name, which is in parentheses and may contain some itself.
  const char *end = NULL;
  for (const char *text = buffer; *text; text++) {
    if (*text == ')') end = text;
  }
  return end && end[1] == ' ' && end[2] == 'S';
}

/// Samples one thread; returns whether the system has shown it, with `errno` if not.
///
/// The count is read before the state. A thread with the same count in two samples that is asleep
/// in the first has slept from the first sample's state to the second sample's count.
UNSEEN static bool sample(struct files files, struct kata_thread_sample *sample) {
  sample->is_asleep = false;
  sample->slices = 0;
  char buffer[64];
  // A thread that ends between the listing and the sample is a change that the next sample shows.
  if (!read_all(files.schedstat, buffer, sizeof buffer)) return false;
  // Time on a core, time in the run queue, number of time slices.
  const char *text = buffer;
  for (int figure = 0; figure < 2; figure++) {
    number(&text);
    if (*text == ' ') text++;
  }
  sample->slices = number(&text);
  errno = 0;
  sample->is_asleep = is_asleep(files);
  return errno == 0;
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

/// The name of the next thread other than the calling one; null at the end, where the listing is
/// closed.
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

/// Files stay open between samples, since opening one takes longer than reading it. A descriptor
/// refers to the thread that it was opened for, and to no later thread with the same number.
enum { most_kept = 64 };
static struct kept {
  uint64_t thread;
  struct files files;
} kept[most_kept];
static int32_t kept_count;
static _Atomic(bool) is_kept_in_use;

/// A pass over the threads of this process other than the calling one.
struct walk {
  struct listing listing;
  /// Whether this walk owns the kept files; another thread may be sampling.
  bool has_kept;
  /// How many of the kept files stay kept, and how many have been passed.
  int32_t left, next;
  /// Files that are closed again, since there is no room to keep more.
  struct files passing;
};

UNSEEN static void end_walk(struct walk *walk) {
  if (walk->has_kept) atomic_store(&is_kept_in_use, false);
}

UNSEEN static bool begin_walk(struct walk *walk) {
  walk->has_kept = !atomic_exchange(&is_kept_in_use, true);
  walk->left = walk->next = 0;
  walk->passing.schedstat = walk->passing.stat = -1;
  if (begin_listing(&walk->listing)) return true;
  end_walk(walk);
  return false;
}

/// The next thread; `files` are open until the one after it is asked for. False at the end.
UNSEEN static bool next_of_walk(struct walk *walk, struct kept *thread) {
  close_files(walk->passing);
  walk->passing.schedstat = walk->passing.stat = -1;
  const char *name = next_thread(&walk->listing, &thread->thread);
  if (!walk->has_kept) {
    if (name) thread->files = walk->passing = open_files(walk->listing.folder, name);
    return name;
  }
  // Kept in the list's order, so a thread that isn't next has ended.
  while (walk->next < kept_count && (!name || kept[walk->next].thread != thread->thread)) {
    close_files(kept[walk->next++].files);
  }
  if (!name) {
    kept_count = walk->left;
    return false;
  }
  if (walk->next < kept_count) {
    thread->files = kept[walk->next++].files;
    if (thread->files.schedstat < 0 || thread->files.stat < 0) {
      close_files(thread->files);
      thread->files = open_files_to_keep(walk->listing.folder, name);
    }
  } else if (walk->left == most_kept) {
    thread->files = walk->passing = open_files(walk->listing.folder, name);
    return true;
  } else {
    thread->files = open_files_to_keep(walk->listing.folder, name);
    // All kept files have been passed.
    kept_count = walk->next = walk->left + 1;
  }
  kept[walk->left++] = *thread;
  return true;
}

/// Makes the next walk open the files of a thread again: an answer has closed descriptors that
/// weren't its own. Whatever has their numbers now is left alone.
UNSEEN static void forget(struct walk *walk, const struct kept *thread) {
  if (!walk->has_kept || walk->left == 0) return;
  struct kept *last = &kept[walk->left - 1];
  if (last->thread == thread->thread && errno == EBADF) {
    last->files.schedstat = last->files.stat = -1;
  }
}

UNSEEN int32_t kata_sample_threads(struct kata_thread_sample *samples, int32_t capacity) {
  struct walk walk;
  if (!begin_walk(&walk)) return -1;
  int32_t found = 0;
  struct kept thread;
  while (next_of_walk(&walk, &thread)) {
    if (found < capacity) {
      samples[found].number = (int32_t)thread.thread;
      if (!sample(thread.files, &samples[found])) forget(&walk, &thread);
    }
    found++;
  }
  end_walk(&walk);
  return walk.listing.size < 0 ? -1 : found;
}

/// How often the threads of this process, other than the calling one, were taken off a core.
UNSEEN static long switches(void) {
  struct rusage all, own;
  syscall(SYS_getrusage, RUSAGE_SELF, &all);
  syscall(SYS_getrusage, RUSAGE_THREAD, &own);
  return all.ru_nvcsw + all.ru_nivcsw - own.ru_nvcsw - own.ru_nivcsw;
}

UNSEEN bool kata_all_asleep(void) {
  const long before = switches();
  struct walk walk;
  if (!begin_walk(&walk)) return false;
  bool all_asleep = true;
  struct kept thread;
  while (next_of_walk(&walk, &thread)) {
    const bool is_kept = walk.has_kept && walk.left > 0 && kept[walk.left - 1].thread == thread.thread;
    if (!is_kept && all_asleep) all_asleep = is_asleep(thread.files);
  }
  // The newest first, since they are the likeliest to be awake.
  for (int32_t index = kept_count - 1; walk.has_kept && index >= 0 && all_asleep; index--) {
    all_asleep = is_asleep(kept[index].files);
  }
  end_walk(&walk);
  return all_asleep && walk.listing.size == 0 && switches() == before;
}

#else

int32_t kata_current_thread(void) { return 0; }

int32_t kata_sample_threads(struct kata_thread_sample *samples, int32_t capacity) {
  (void)samples;
  (void)capacity;
  return -1;
}

bool kata_all_asleep(void) { return false; }

#endif
