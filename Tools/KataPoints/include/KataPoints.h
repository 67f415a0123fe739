#ifndef KATA_POINTS_H
#define KATA_POINTS_H

#include <stdbool.h>
#include <stdint.h>

/// What code under test does at a point.
enum kata_access {
  /// Nothing that another thread could race with: it enters a function, or uses an atomic.
  kata_access_none,
  kata_access_read,
  kata_access_write,
};

/// A point in a schedule: a place in the code, and the number of a thread's visit to it, from 1.
struct kata_point {
  uintptr_t place;
  /// Where the place's function was called from, if that is known. Each caller makes another place,
  /// since one compiled function may serve many calls, such as all calls under a lock.
  uintptr_t caller;
  /// The thread's number from `kata_points_enter`; 0 for all other threads, which count as one.
  int32_t thread;
  int32_t hit;
  /// The memory that is accessed at the first visit, if any; not needed to hold a thread there.
  uintptr_t address;
  bool is_write;
};

enum { kata_most_callers = 4 };

/// What happened at a point.
struct kata_hold {
  /// Whether a thread was held there.
  bool was_held;
  /// When it was held and when it continued, by `kata_points_tick`.
  int64_t held, went_on;
  /// Where the function of the point was called from, and so on outwards; 0 if that isn't known.
  uintptr_t callers[kata_most_callers];
};

/// Two unordered accesses to the same memory.
struct kata_race {
  /// The place where a thread was held before its access, and the place of another thread's access
  /// meanwhile.
  uintptr_t held, other;
  /// Where the functions of these places were called from, and so on outwards.
  uintptr_t held_callers[kata_most_callers], other_callers[kata_most_callers];
  bool held_writes, other_writes;
};

enum { kata_most_holds = 2 };

/// Sets the calling thread's number in a scenario, from 1.
void kata_points_enter(int32_t thread);

/// Begins a schedule: a thread that reaches one of the `points` is held there until it's released.
///
/// At most `kata_most_holds` points; each holds one thread, once. Only one schedule can be active.
void kata_points_begin(const struct kata_point *points, int32_t count);

/// Ends the schedule: no thread is counted or held any more, and held threads continue.
void kata_points_end(void);

/// Releases the thread that is held at the point with this index; returns whether there was one.
bool kata_points_release(int32_t index);

/// How many threads are held now.
int32_t kata_points_held_count(void);

/// What happened at the point with this index.
struct kata_hold kata_points_hold(int32_t index);

/// The places that were reached since the schedule began, each with its number of visits. Returns
/// the number of places, of which `points` receives the first `capacity`.
int32_t kata_points_reached(struct kata_point *points, int32_t capacity);

/// The race that was seen in this schedule; its `held` is 0 if there was none.
struct kata_race kata_points_race(void);

/// The library that contains a place, as the loader names it, and the offset in it; no name if
/// there is none.
struct kata_place {
  const char *library;
  uintptr_t offset;
};

/// Looks a place up in the loader.
struct kata_place kata_points_place(uintptr_t place);

/// Increments and returns a counter that orders the events of several threads.
int64_t kata_points_tick(void);

/// Called by the code under test at each of its points, before it makes the access.
///
/// `place` is in that code; `address` and `size` are the memory that it's about to access. `frame`
/// is the address of the saved frame pointer, or null. This takes no lock and allocates nothing.
/// Outside a schedule it does nothing.
void kata_points_reach(
    uintptr_t place, const volatile void *address, uintptr_t size, enum kata_access access,
    const uintptr_t *frame);

/// The type of `kata_points_reach`.
typedef void (*kata_points_reacher)(
    uintptr_t place, const volatile void *address, uintptr_t size, enum kata_access access,
    const uintptr_t *frame);

#endif
