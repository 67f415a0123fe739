#define _GNU_SOURCE
#include "KataPoints.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

/// Which thread of a scenario this is, from 1; 0 where it's none.
static _Thread_local int32_t own_number;

void kata_points_enter(int32_t thread) { own_number = thread; }

// MARK: - Places

/// A power of two, and far more than one answer has.
enum { most_places = 16384 };

/// A place together with a thread's number, in the bits that no address uses.
static _Atomic(uintptr_t) places[most_places];
static _Atomic(int32_t) hits[most_places];
/// Where in those tables there is something, in the order of coming.
static _Atomic(int32_t) used[most_places];
static _Atomic(int32_t) used_count;
static _Atomic(bool) is_on;
static _Atomic(int64_t) ticks;

int64_t kata_points_tick(void) { return atomic_fetch_add(&ticks, 1) + 1; }

enum { place_bits = 56 };

/// Counts a hit of the calling thread's, and returns how many there are now; 0 where there is no room for the place.
static int32_t count(uintptr_t place) {
  place |= (uintptr_t)own_number << place_bits;
  size_t index = (size_t)((place * 0x9E3779B97F4A7C15u) >> 32) % most_places;
  for (int32_t tries = 0; tries < most_places; tries++) {
    uintptr_t found = atomic_load(&places[index]);
    if (found == 0 && atomic_compare_exchange_strong(&places[index], &found, place)) {
      found = place;
      atomic_store(&used[atomic_fetch_add(&used_count, 1)], (int32_t)index);
    }
    if (found == place) return atomic_fetch_add(&hits[index], 1) + 1;
    index = (index + 1) % most_places;
  }
  return 0;
}

int32_t kata_points_reached(struct kata_point *points, int32_t capacity) {
  int32_t found = 0;
  const int32_t known = atomic_load(&used_count);
  for (int32_t number = 0; number < known; number++) {
    const int32_t index = atomic_load(&used[number]);
    const int32_t hit = atomic_load(&hits[index]);
    if (hit == 0) continue;
    if (found < capacity) {
      const uintptr_t place = atomic_load(&places[index]);
      points[found].place = place & (((uintptr_t)1 << place_bits) - 1);
      points[found].thread = (int32_t)(place >> place_bits);
      points[found].hit = hit;
    }
    found++;
  }
  return found;
}

// MARK: - Holds

/// A point at which a thread is to be held. It sleeps reading from a pipe, since whoever holds a lock of the
/// library's would order the threads.
typedef struct {
  _Atomic(uintptr_t) place;
  _Atomic(int32_t) thread, hit;
  _Atomic(int64_t) held, went_on;
  _Atomic(uintptr_t) caller;
  /// The memory that it's about to use; no size where it's none that others could race with.
  _Atomic(uintptr_t) address, size;
  _Atomic(bool) is_write, is_held, was_held;
  int pipe[2];
} Hold;

static Hold holds[kata_most_holds];
static _Atomic(int32_t) held_count;

static _Atomic(bool) is_race_claimed, is_race_known;
static struct kata_race race;

static bool make_pipes(void) {
  for (int32_t index = 0; index < kata_most_holds; index++) {
    Hold *hold = &holds[index];
    if (hold->pipe[1] == 0 && pipe(hold->pipe) != 0) return false;
  }
  return true;
}

/// A library whose code has points calls nobody before it's told whom.
static void install_hooks(void) {
  void (*install)(kata_points_reacher) =
      (void (*)(kata_points_reacher))dlsym(RTLD_DEFAULT, "kata_hooks_install");
  if (install) install(kata_points_reach);
}

void kata_points_begin(const struct kata_point *points, int32_t count) {
  static bool has_pipes;
  if (!has_pipes) install_hooks();
  if (!has_pipes) has_pipes = make_pipes();
  const int32_t known = atomic_load(&used_count);
  for (int32_t number = 0; number < known; number++) atomic_store(&hits[atomic_load(&used[number])], 0);
  for (int32_t index = 0; index < kata_most_holds; index++) {
    Hold *hold = &holds[index];
    const bool is_wanted = has_pipes && index < count;
    atomic_store(&hold->place, is_wanted ? points[index].place : 0);
    atomic_store(&hold->hit, is_wanted ? points[index].hit : 0);
    atomic_store(&hold->thread, is_wanted ? points[index].thread : 0);
    atomic_store(&hold->was_held, false);
    atomic_store(&hold->size, 0);
  }
  atomic_store(&is_race_claimed, false);
  atomic_store(&is_race_known, false);
  atomic_store(&is_on, true);
}

void kata_points_end(void) {
  atomic_store(&is_on, false);
  for (int32_t index = 0; index < kata_most_holds; index++) kata_points_let_go(index);
}

bool kata_points_let_go(int32_t index) {
  Hold *hold = &holds[index];
  if (!atomic_exchange(&hold->is_held, false)) return false;
  const char byte = 1;
  while (write(hold->pipe[1], &byte, 1) < 0 && errno == EINTR) {}
  return true;
}

int32_t kata_points_held_count(void) { return atomic_load(&held_count); }

struct kata_hold kata_points_hold(int32_t index) {
  const Hold *hold = &holds[index];
  return (struct kata_hold){
      atomic_load(&hold->was_held), atomic_load(&hold->held), atomic_load(&hold->went_on),
      atomic_load(&hold->caller)};
}

/// Where the function was called from whose frame pointer is kept here; 0 where it has none.
static uintptr_t caller_of(const uintptr_t *frame) {
  enum { largest_frame = 1 << 20 };
  if (!frame) return 0;
  const uintptr_t own = frame[0];
  const bool is_frame = own % sizeof own == 0 && own > (uintptr_t)frame
      && own - (uintptr_t)frame < largest_frame;
  return is_frame ? ((const uintptr_t *)own)[1] : 0;
}

static void hold_here(
    Hold *hold, const volatile void *address, uintptr_t size, enum kata_access access,
    const uintptr_t *frame) {
  atomic_store(&hold->caller, caller_of(frame));
  atomic_store(&hold->held, kata_points_tick());
  atomic_store(&hold->went_on, 0);
  atomic_store(&hold->address, (uintptr_t)address);
  atomic_store(&hold->is_write, access == kata_access_write);
  atomic_fetch_add(&held_count, 1);
  atomic_store(&hold->is_held, true);
  atomic_store(&hold->was_held, true);
  // The schedule may have ended meanwhile, and nobody comes to let it go.
  if (!atomic_load(&is_on)) kata_points_let_go((int32_t)(hold - holds));
  // Others look for its memory from here on.
  atomic_store(&hold->size, access == kata_access_none ? 0 : size);
  char byte;
  while (read(hold->pipe[0], &byte, 1) < 0 && errno == EINTR) {}
  atomic_store(&hold->size, 0);
  atomic_store(&hold->went_on, kata_points_tick());
  atomic_fetch_sub(&held_count, 1);
}

// MARK: - Races

/// Who is held before an access still has it to do: where another thread uses the same memory meanwhile, and one
/// of the two writes, no lock kept them apart.
///
/// A thread that is held makes no accesses, so it's never compared with itself.
static void look_for_race(uintptr_t place, uintptr_t address, uintptr_t size, bool is_write) {
  for (int32_t index = 0; index < kata_most_holds; index++) {
    const Hold *hold = &holds[index];
    const uintptr_t their_size = atomic_load(&hold->size);
    if (their_size == 0) continue;
    const uintptr_t theirs = atomic_load(&hold->address);
    if (address >= theirs + their_size || theirs >= address + size) continue;
    const bool they_write = atomic_load(&hold->is_write);
    if (!is_write && !they_write) continue;
    if (atomic_exchange(&is_race_claimed, true)) return;
    race = (struct kata_race){atomic_load(&hold->place), place, they_write, is_write};
    atomic_store(&is_race_known, true);
  }
}

struct kata_race kata_points_race(void) {
  return atomic_load(&is_race_known) ? race : (struct kata_race){0};
}

struct kata_place kata_points_place(uintptr_t place) {
  Dl_info info;
  if (dladdr((const void *)place, &info) == 0 || !info.dli_fname) {
    return (struct kata_place){0, place};
  }
  return (struct kata_place){info.dli_fname, place - (uintptr_t)info.dli_fbase};
}

// MARK: - A point

void kata_points_reach(
    uintptr_t place, const volatile void *address, uintptr_t size, enum kata_access access,
    const uintptr_t *frame) {
  if (!atomic_load_explicit(&is_on, memory_order_relaxed)) return;
  if (access != kata_access_none) {
    look_for_race(place, (uintptr_t)address, size, access == kata_access_write);
  }
  const int32_t hit = count(place);
  for (int32_t index = 0; index < kata_most_holds; index++) {
    Hold *hold = &holds[index];
    if (atomic_load(&hold->place) != place || atomic_load(&hold->hit) != hit) continue;
    if (atomic_load(&hold->thread) == own_number) hold_here(hold, address, size, access, frame);
  }
}
