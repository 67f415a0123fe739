#ifndef KATA_THREADS_H
#define KATA_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/// What a look at one thread shows.
struct kata_thread_look {
  /// The kernel's number of the thread.
  int32_t number;
  /// Whether it sleeps, waiting to be woken.
  bool is_asleep;
  /// How often it was given a core.
  uint64_t slices;
};

/// Looks at all threads of this process but the calling one.
///
/// Specs look thousands of times, and a look must be nothing that Thread Sanitizer takes note of: so it's
/// in C, and asks the kernel without the C library. Only on Linux.
///
/// Returns how many there are, of which `looks` takes the first `capacity`; -1 where the system doesn't
/// tell.
int32_t kata_look_at_threads(struct kata_thread_look *looks, int32_t capacity);

/// Whether all threads of this process but the calling one were asleep at one moment of the call; only on Linux.
///
/// A thread that was awake when the call began, and asleep when it was looked at, was taken off its core in between,
/// which the kernel counts. Cheaper than two looks, and a little less sure: a thread that is about to be taken off its
/// core looks asleep before it's counted, and may have woken another one that was looked at before.
bool kata_all_asleep(void);

/// The kernel's number of the calling thread; 0 where it isn't known.
int32_t kata_current_thread(void);

/// The kernel's number of the thread that Thread Sanitizer keeps for itself; 0 where there is none, or none is known.
///
/// It wakes about ten times a second, whatever the program does.
int32_t kata_thread_of_sanitizer(void);

#endif
