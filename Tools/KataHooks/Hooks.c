// What an answer's library calls at its points, linked into that library alone.
//
// The compiler inserts the points for Thread Sanitizer: a call before each access to memory that
// other threads may see, at each atomic, and where a function begins and ends. Without the
// sanitizer's runtime these calls come here, and are passed on to the installed function, if there
// is one. Source: `ThreadSanitizer.cpp` in LLVM, `tsan_interface.h` in compiler-rt,
// `swift/Runtime/Exclusivity.h`.
#define _GNU_SOURCE
#include "KataPoints.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

static _Atomic(kata_points_reacher) reacher;

/// The explorer finds this function by its name.
__attribute__((visibility("default"))) void kata_hooks_install(kata_points_reacher wanted) {
  atomic_store(&reacher, wanted);
}

/// Always inline: the frame must be the hook's, which begins with its caller's frame pointer.
__attribute__((always_inline)) static inline void reach(
    void *place, const volatile void *address, uintptr_t size, enum kata_access access) {
  const kata_points_reacher wanted = atomic_load_explicit(&reacher, memory_order_relaxed);
  if (wanted) wanted((uintptr_t)place, address, size, access, __builtin_frame_address(0));
  // The frame must last until then: without this the last call of a hook would be a jump.
  __asm__ volatile("" ::: "memory");
}

#define HERE __builtin_return_address(0)
#define POINT() reach(HERE, 0, 0, kata_access_none)
/// A point behind a call, where the next instruction begins.
#define POINT_BEHIND() reach((char *)HERE + 1, 0, 0, kata_access_none)

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { POINT(); }
void __tsan_func_exit(void) { POINT(); }
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}

// MARK: - Accesses

#define ACCESS(name, size, access) \
  void __tsan_##name(void *address) { reach(HERE, address, size, kata_access_##access); }

#define ACCESSES(size) \
  ACCESS(read##size, size, read) \
  ACCESS(write##size, size, write) \
  ACCESS(read_write##size, size, write) \
  ACCESS(unaligned_read##size, size, read) \
  ACCESS(unaligned_write##size, size, write) \
  ACCESS(unaligned_read_write##size, size, write) \
  ACCESS(volatile_read##size, size, read) \
  ACCESS(volatile_write##size, size, write) \
  ACCESS(unaligned_volatile_read##size, size, read) \
  ACCESS(unaligned_volatile_write##size, size, write)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *address, uintptr_t size) {
  reach(HERE, address, size, kata_access_read);
}
void __tsan_write_range(void *address, uintptr_t size) {
  reach(HERE, address, size, kata_access_write);
}
void __tsan_vptr_read(void **address) {}
void __tsan_vptr_update(void **address, void *value) {}

void *__tsan_memcpy(void *to, const void *from, uintptr_t size) {
  POINT();
  return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, uintptr_t size) {
  POINT();
  return memmove(to, from, size);
}
void *__tsan_memset(void *to, int byte, uintptr_t size) {
  POINT();
  return memset(to, byte, size);
}

/// What Swift calls for the sanitizer when a value is used in place.
void __tsan_external_read(void *address, void *caller, void *tag) {
  reach(HERE, address, 1, kata_access_read);
}
void __tsan_external_write(void *address, void *caller, void *tag) {
  reach(HERE, address, 1, kata_access_write);
}
void *__tsan_external_register_tag(const char *name) { return 0; }
void __tsan_external_register_header(void *tag, const char *header) {}
void __tsan_external_assign_tag(void *address, void *tag) {}

// MARK: - Swift's runtime

/// The function that a hook replaces in the answer's library.
static void *replaced(_Atomic(void *) *found, const char *name) {
  void *real = atomic_load_explicit(found, memory_order_relaxed);
  if (!real) {
    real = dlsym(RTLD_DEFAULT, name);
    atomic_store_explicit(found, real, memory_order_relaxed);
  }
  return real;
}

/// Compiled code doesn't access storage of a generic type itself, but it announces each use to
/// Swift's runtime.
void swift_beginAccess(void *address, void *buffer, uintptr_t flags, void *caller) {
  static _Atomic(void *) found;
  enum { modifies = 1 };
  reach(HERE, address, 1, flags & modifies ? kata_access_write : kata_access_read);
  ((void (*)(void *, void *, uintptr_t, void *))replaced(&found, "swift_beginAccess"))(
      address, buffer, flags, caller ? caller : HERE);
}

/// Compiled without optimization, code releases an object right after a call of its method, such as
/// `unlock`: without this, no point would be between that call and the next one.
#define RELEASE(name) \
  void name(void *object) { \
    static _Atomic(void *) found; \
    POINT(); \
    ((void (*)(void *))replaced(&found, #name))(object); \
  }

RELEASE(swift_release)
#ifdef __APPLE__
// What releases a lock, a queue or an operation there.
RELEASE(objc_release)
#endif

// MARK: - Atomics

// All with the strongest order: one thread at a time is held, so a weaker one would show nothing more.
#define STRONGEST __ATOMIC_SEQ_CST

#define UPDATE(bits, type, name) \
  type __tsan_atomic##bits##_##name(volatile type *address, type value, int order) { \
    POINT(); \
    const type old = __atomic_##name(address, value, STRONGEST); \
    POINT_BEHIND(); \
    return old; \
  }

#define COMPARE_EXCHANGE(bits, type, name, is_weak) \
  int __tsan_atomic##bits##_compare_exchange_##name( \
      volatile type *address, type *expected, type desired, int order, int failure) { \
    POINT(); \
    const int is_exchanged = \
        __atomic_compare_exchange_n(address, expected, desired, is_weak, STRONGEST, STRONGEST); \
    POINT_BEHIND(); \
    return is_exchanged; \
  }

#define ATOMICS(bits, type) \
  type __tsan_atomic##bits##_load(const volatile type *address, int order) { \
    POINT(); \
    return __atomic_load_n(address, STRONGEST); \
  } \
  void __tsan_atomic##bits##_store(volatile type *address, type value, int order) { \
    POINT(); \
    __atomic_store_n(address, value, STRONGEST); \
    POINT_BEHIND(); \
  } \
  type __tsan_atomic##bits##_exchange(volatile type *address, type value, int order) { \
    POINT(); \
    const type old = __atomic_exchange_n(address, value, STRONGEST); \
    POINT_BEHIND(); \
    return old; \
  } \
  type __tsan_atomic##bits##_compare_exchange_val( \
      volatile type *address, type expected, type desired, int order, int failure) { \
    POINT(); \
    __atomic_compare_exchange_n(address, &expected, desired, 0, STRONGEST, STRONGEST); \
    POINT_BEHIND(); \
    return expected; \
  } \
  COMPARE_EXCHANGE(bits, type, strong, 0) \
  COMPARE_EXCHANGE(bits, type, weak, 1) \
  UPDATE(bits, type, fetch_add) \
  UPDATE(bits, type, fetch_sub) \
  UPDATE(bits, type, fetch_and) \
  UPDATE(bits, type, fetch_or) \
  UPDATE(bits, type, fetch_xor) \
  UPDATE(bits, type, fetch_nand)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
ATOMICS(128, unsigned __int128)

void __tsan_atomic_thread_fence(int order) { atomic_thread_fence(memory_order_seq_cst); }
void __tsan_atomic_signal_fence(int order) {}
