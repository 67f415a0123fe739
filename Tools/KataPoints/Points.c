#define _GNU_SOURCE
#include "KataPoints.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

/// Which thread of a scenario this is, from 1; 0 for other threads.
static _Thread_local int32_t own_number;

void kata_points_enter(int32_t thread) { own_number = thread; }

// MARK: - Places

/// A power of two, and far more than one answer has.
enum { most_places = 16384 };

/// A key for a place, the caller of its function, and a thread.
static _Atomic(uint64_t) keys[most_places];
/// What a key represents: written by the thread that gets there first, read when everything is at
/// rest.
static _Atomic(uintptr_t) places[most_places], callers[most_places];
static _Atomic(int32_t) hits[most_places];
/// The access of the first visit in a schedule.
static _Atomic(uintptr_t) addresses[most_places];
static _Atomic(bool) are_writes[most_places];
/// The used indices of those tables, in the order of use.
static _Atomic(int32_t) used[most_places];
static _Atomic(int32_t) used_count;
static _Atomic(bool) is_on;
static _Atomic(int64_t) ticks;

int64_t kata_points_tick(void) { return atomic_fetch_add(&ticks, 1) + 1; }

enum { key_bits = 56 };

static uint64_t key_of(uintptr_t place, uintptr_t caller, int32_t thread) {
  const uint64_t both = (place + caller * 0xD6E8FEB86659FD93u) & (((uint64_t)1 << key_bits) - 1);
  return both | (uint64_t)thread << key_bits;
}

/// Counts a visit of the calling thread, and returns the number of visits; 0 if there is no room
/// for the place.
static int32_t count(
    uintptr_t place, uintptr_t caller, uint64_t key, uintptr_t address, bool is_write) {
  size_t index = (size_t)((key * 0x9E3779B97F4A7C15u) >> 32) % most_places;
  for (int32_t tries = 0; tries < most_places; tries++) {
    uint64_t found = atomic_load(&keys[index]);
    if (found == 0 && atomic_compare_exchange_strong(&keys[index], &found, key)) {
      found = key;
      atomic_store(&places[index], place);
      atomic_store(&callers[index], caller);
      atomic_store(&used[atomic_fetch_add(&used_count, 1)], (int32_t)index);
    }
    if (found == key) {
      const int32_t hit = atomic_fetch_add(&hits[index], 1) + 1;
      if (hit == 1) {
        atomic_store(&addresses[index], address);
        atomic_store(&are_writes[index], is_write);
      }
      return hit;
    }
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
      points[found].place = atomic_load(&places[index]);
      points[found].caller = atomic_load(&callers[index]);
      points[found].thread = (int32_t)(atomic_load(&keys[index]) >> key_bits);
      points[found].hit = hit;
      points[found].address = atomic_load(&addresses[index]);
      points[found].is_write = atomic_load(&are_writes[index]);
    }
    found++;
  }
  return found;
}

// MARK: - Holds

/// A point at which a thread is to be held. The thread sleeps in a read from a pipe, since a lock
/// of the library would order the threads.
typedef struct {
  /// The key of the place and the thread; 0 if no thread is to be held.
  _Atomic(uint64_t) key;
  _Atomic(uintptr_t) place;
  _Atomic(int32_t) hit;
  _Atomic(int64_t) held, went_on;
  _Atomic(uintptr_t) callers[kata_most_callers];
  /// The memory that the held thread is about to access; size 0 if no other thread could race with
  /// it.
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

/// Installs the function that a library's points call: until then they call none.
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
    const struct kata_point point = is_wanted ? points[index] : (struct kata_point){0};
    atomic_store(&hold->key, is_wanted ? key_of(point.place, point.caller, point.thread) : 0);
    atomic_store(&hold->place, point.place);
    atomic_store(&hold->hit, point.hit);
    atomic_store(&hold->was_held, false);
    atomic_store(&hold->size, 0);
  }
  atomic_store(&is_race_claimed, false);
  atomic_store(&is_race_known, false);
  atomic_store(&is_on, true);
}

void kata_points_end(void) {
  atomic_store(&is_on, false);
  for (int32_t index = 0; index < kata_most_holds; index++) kata_points_release(index);
}

bool kata_points_release(int32_t index) {
  Hold *hold = &holds[index];
  if (!atomic_exchange(&hold->is_held, false)) return false;
  const char byte = 1;
  while (write(hold->pipe[1], &byte, 1) < 0 && errno == EINTR) {}
  return true;
}

int32_t kata_points_held_count(void) { return atomic_load(&held_count); }

struct kata_hold kata_points_hold(int32_t index) {
  const Hold *hold = &holds[index];
  struct kata_hold found = {
      atomic_load(&hold->was_held), atomic_load(&hold->held), atomic_load(&hold->went_on), {0}};
  for (int32_t number = 0; number < kata_most_callers; number++) {
    found.callers[number] = atomic_load(&hold->callers[number]);
  }
  return found;
}

/// The frame of the calling function; null if it isn't known.
static const uintptr_t *outer(const uintptr_t *frame) {
  enum { largest_frame = 1 << 16 };
  const uintptr_t next = frame ? frame[0] : 0;
  // Without frame pointers, this word may be anything.
  const bool is_frame = next % sizeof next == 0 && next > (uintptr_t)frame
      && next - (uintptr_t)frame < largest_frame;
  return is_frame ? (const uintptr_t *)next : NULL;
}

/// Finds where this frame's function was called from, and so on outwards.
static void find_callers(uintptr_t callers[kata_most_callers], const uintptr_t *frame) {
  for (int32_t number = 0; number < kata_most_callers; number++) {
    frame = outer(frame);
    callers[number] = frame ? frame[1] : 0;
  }
}

static void hold_here(
    Hold *hold, const volatile void *address, uintptr_t size, enum kata_access access,
    const uintptr_t *frame) {
  uintptr_t callers[kata_most_callers];
  find_callers(callers, frame);
  for (int32_t number = 0; number < kata_most_callers; number++) {
    atomic_store(&hold->callers[number], callers[number]);
  }
  atomic_store(&hold->held, kata_points_tick());
  atomic_store(&hold->went_on, 0);
  atomic_store(&hold->address, (uintptr_t)address);
  atomic_store(&hold->is_write, access == kata_access_write);
  atomic_fetch_add(&held_count, 1);
  atomic_store(&hold->is_held, true);
  atomic_store(&hold->was_held, true);
  // The schedule may have ended meanwhile, and then nothing would release this thread.
  if (!atomic_load(&is_on)) kata_points_release((int32_t)(hold - holds));
  // From here on other threads compare their accesses with this memory.
  atomic_store(&hold->size, access == kata_access_none ? 0 : size);
  char byte;
  while (read(hold->pipe[0], &byte, 1) < 0 && errno == EINTR) {}
  atomic_store(&hold->size, 0);
  atomic_store(&hold->went_on, kata_points_tick());
  atomic_fetch_sub(&held_count, 1);
}

// MARK: - Races

/// A held thread hasn't made its access yet. If another thread accesses the same memory meanwhile,
/// and one of the two writes, no lock excluded one from the other.
///
/// A held thread makes no accesses, so it's never compared with itself.
static void look_for_race(
    uintptr_t place, uintptr_t address, uintptr_t size, bool is_write, const uintptr_t *frame) {
  for (int32_t index = 0; index < kata_most_holds; index++) {
    const Hold *hold = &holds[index];
    const uintptr_t their_size = atomic_load(&hold->size);
    if (their_size == 0) continue;
    const uintptr_t theirs = atomic_load(&hold->address);
    if (address >= theirs + their_size || theirs >= address + size) continue;
    const bool they_write = atomic_load(&hold->is_write);
    if (!is_write && !they_write) continue;
    if (atomic_exchange(&is_race_claimed, true)) return;
    race = (struct kata_race){
        .held = atomic_load(&hold->place), .other = place,
        .held_writes = they_write, .other_writes = is_write};
    for (int32_t number = 0; number < kata_most_callers; number++) {
      race.held_callers[number] = atomic_load(&hold->callers[number]);
    }
    find_callers(race.other_callers, frame);
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
    look_for_race(place, (uintptr_t)address, size, access == kata_access_write, frame);
  }
  const uintptr_t *own = outer(frame);
  const uintptr_t caller = own ? own[1] : 0;
  const uint64_t key = key_of(place, caller, own_number);
  const int32_t hit = count(
      place, caller, key, access == kata_access_none ? 0 : (uintptr_t)address,
      access == kata_access_write);
  for (int32_t index = 0; index < kata_most_holds; index++) {
    Hold *hold = &holds[index];
    if (atomic_load(&hold->key) != key || atomic_load(&hold->hit) != hit) continue;
    hold_here(hold, address, size, access, frame);
  }
}
