#define _GNU_SOURCE
#include "KataThreads.h"

#if defined(__linux__)

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
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

/// Reads what a file of a thread's says into `buffer`, and a zero behind it; whether there was any.
UNSEEN static bool read_file(
    int folder, const char *thread, const char *name, char *buffer, size_t size) {
  char path[64];
  size_t end = 0;
  for (const char *from = thread; *from && end < 32; from++) path[end++] = *from;
  path[end++] = '/';
  for (const char *from = name; *from; from++) path[end++] = *from;
  path[end] = 0;
  const int file = (int)syscall(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const long count = syscall(SYS_read, file, buffer, size - 1);
  syscall(SYS_close, file);
  if (count <= 0) return false;
  buffer[count] = 0;
  return true;
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
  // The state follows the name, which stands in parentheses and may hold some itself.
  const char *end = NULL;
  for (text = buffer; *text; text++) {
    if (*text == ')') end = text;
  }
  look->is_asleep = end && end[1] == ' ' && end[2] == 'S';
}

UNSEEN int32_t kata_look_at_threads(struct kata_thread_look *looks, int32_t capacity) {
  const int folder =
      (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  const uint64_t caller = (uint64_t)kata_current_thread();
  int32_t found = 0;
  _Alignas(struct entry) char list[4096];
  long size;
  while ((size = syscall(SYS_getdents64, folder, list, sizeof list)) > 0) {
    for (long at = 0; at < size;) {
      const struct entry *entry = (const struct entry *)(list + at);
      at += entry->length;
      const char *name = entry->name;
      const uint64_t thread = number(&name);
      if (thread == 0 || thread == caller) continue;
      if (found < capacity) {
        looks[found].number = (int32_t)thread;
        look(folder, entry->name, &looks[found]);
      }
      found++;
    }
  }
  syscall(SYS_close, folder);
  return size < 0 ? -1 : found;
}

#else

int32_t kata_current_thread(void) { return 0; }

int32_t kata_look_at_threads(struct kata_thread_look *looks, int32_t capacity) {
  (void)looks;
  (void)capacity;
  return -1;
}

#endif
