#define _GNU_SOURCE
#include "KataThreads.h"

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if HAS_SANITIZER

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The sanitizer must not see what these functions do.
#define UNSEEN __attribute__((disable_sanitizer_instrumentation))

static int32_t sanitizer_thread;

UNSEEN static void *tell_number(void *number) {
  *(int32_t *)number = (int32_t)syscall(SYS_gettid);
  return NULL;
}

// The sanitizer starts its thread together with the program's first. So a thread is started here,
// before `main`, when there is no other thread: the one beside these two is the sanitizer's.
UNSEEN __attribute__((constructor)) static void find_sanitizer_thread(void) {
  pthread_t thread;
  int32_t first = 0;
  if (pthread_create(&thread, NULL, tell_number, &first)) return;
  pthread_join(thread, NULL);
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return;
  const int32_t caller = (int32_t)syscall(SYS_gettid);
  int32_t found = 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(threads));) {
    const int32_t number = (int32_t)strtol(entry->d_name, NULL, 10);
    // A joined thread may still be listed for a moment.
    if (number == 0 || number == caller || number == first) continue;
    found = number;
    count++;
  }
  closedir(threads);
  // A library has started threads before: the sanitizer's can't be told from them.
  if (count == 1) sanitizer_thread = found;
}

int32_t kata_thread_of_sanitizer(void) { return sanitizer_thread; }

#else

int32_t kata_thread_of_sanitizer(void) { return 0; }

#endif
