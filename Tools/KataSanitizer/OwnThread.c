#define _GNU_SOURCE
#include "KataSanitizer.h"
#include "Telling.h"

#if TELLS_SANITIZER

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int32_t own_thread;

UNSEEN static void *tell_number(void *number) {
  *(int32_t *)number = (int32_t)syscall(SYS_gettid);
  return NULL;
}

// The sanitizer starts its thread together with the program's first. So one is started here, before
// `main`, when there is nobody else yet: the thread beside these two is the sanitizer's.
UNSEEN __attribute__((constructor)) static void find_own_thread(void) {
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
    // One that has been joined may still be listed for a moment.
    if (number == 0 || number == caller || number == first) continue;
    found = number;
    count++;
  }
  closedir(threads);
  // A library has started threads before: no telling which is which.
  if (count == 1) own_thread = found;
}

int32_t kata_sanitizer_own_thread(void) { return own_thread; }

#else

int32_t kata_sanitizer_own_thread(void) { return 0; }

#endif
