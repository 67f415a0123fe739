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

/// A point in a schedule: a place in the code, and which of a thread's visits to it, from 1.
struct kata_point {
  uintptr_t place;
  /// Where its function was called from, if that is known: a place is another one for each caller, since the compiler
  /// has one function stand for a whole kind, such as all calls under a lock.
  uintptr_t caller;
  /// The thread as it has called itself; 0 for all that haven't, which count as one.
  int32_t thread;
  int32_t hit;
};

enum { kata_most_callers = 4 };

/// What became of a point.
struct kata_hold {
  /// Whether a thread was held there.
  bool was_held;
  /// When it was held, and when it went on, as `kata_points_tick` counts.
  int64_t held, went_on;
  /// Where the function was called from in which it was held, and so on; 0 where that isn't known.
  uintptr_t callers[kata_most_callers];
};

/// Two accesses to the same memory with nothing that kept them apart.
struct kata_race {
  /// Where a thread was held before its access, and where another one made its own meanwhile.
  uintptr_t held, other;
  /// Where the functions of these places were called from, and so on.
  uintptr_t held_callers[kata_most_callers], other_callers[kata_most_callers];
  bool held_writes, other_writes;
};

enum { kata_most_holds = 2 };

/// Says which thread of a scenario the calling one is, from 1.
void kata_points_enter(int32_t thread);

/// Begins a schedule: a thread that reaches one of the `points` is held there until it's let go.
///
/// At most `kata_most_holds` points; each holds one thread, once. Not while another schedule is under way.
void kata_points_begin(const struct kata_point *points, int32_t count);

/// Ends the schedule: nobody is counted or held any more. Whoever is still held goes on.
void kata_points_end(void);

/// Lets the thread go on that is held at the point of this index; whether one was.
bool kata_points_let_go(int32_t index);

/// How many threads are held now.
int32_t kata_points_held_count(void);

/// What became of the point of this index.
struct kata_hold kata_points_hold(int32_t index);

/// The places that were reached since the schedule began, each with the number of its hits; returns how many
/// there are, of which `points` takes the first `capacity`.
int32_t kata_points_reached(struct kata_point *points, int32_t capacity);

/// The race that was seen in this schedule; its `held` is 0 where there was none.
struct kata_race kata_points_race(void);

/// The library that a place is in, as the loader names it, and the place's offset in it; no name where none has it.
struct kata_place {
  const char *library;
  uintptr_t offset;
};

/// Asks the loader for it.
struct kata_place kata_points_place(uintptr_t place);

/// Counts up, for the order of what several threads do.
int64_t kata_points_tick(void);

/// Called by code under test at each of its points, before what it does there.
///
/// `place` is in that code; `address` and `size` are the memory that it's about to use. `frame` is where the code's
/// frame pointer is kept, or null. Takes no lock and allocates nothing. Does nothing outside of a schedule.
void kata_points_reach(
    uintptr_t place, const volatile void *address, uintptr_t size, enum kata_access access,
    const uintptr_t *frame);

/// A function as `kata_points_reach` is.
typedef void (*kata_points_reacher)(
    uintptr_t place, const volatile void *address, uintptr_t size, enum kata_access access,
    const uintptr_t *frame);

#endif
