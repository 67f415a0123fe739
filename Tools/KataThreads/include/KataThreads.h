#ifndef KATA_THREADS_H
#define KATA_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/// A sample of one thread.
struct kata_thread_sample {
  /// The kernel's number of the thread.
  int32_t number;
  /// Whether it sleeps until it's woken.
  bool is_asleep;
  /// How often it was given a core.
  uint64_t slices;
};

/// Samples all threads of this process but the calling one.
///
/// Specs take thousands of samples, and Thread Sanitizer must take no note of them: so this is in
/// C, and calls the kernel without the C library. Only on Linux.
///
/// Returns the number of threads, of which `samples` receives the first `capacity`; -1 if the
/// system doesn't show them.
int32_t kata_sample_threads(struct kata_thread_sample *samples, int32_t capacity);

/// Whether all threads of this process but the calling one were asleep at one moment of the call;
/// only on Linux.
///
/// A thread that was awake when the call began, and asleep in the sample, was taken off its core in
/// between, which the kernel counts. This is cheaper than two samples, and a little less reliable:
/// a thread that is about to leave its core looks asleep before it's counted, and may have woken
/// another thread that was sampled before.
bool kata_all_asleep(void);

/// The kernel's number of the calling thread; 0 if it isn't known.
int32_t kata_current_thread(void);

/// The kernel's number of Thread Sanitizer's own thread; 0 if there is none, or it isn't known.
///
/// It wakes about ten times a second, whatever the program does.
int32_t kata_thread_of_sanitizer(void);

#endif
