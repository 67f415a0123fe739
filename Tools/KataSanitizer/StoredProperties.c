// The sanitizer sees reads and writes in compiled code. Code of a generic type that isn't
// specialised leaves both to functions that come with the value's type, in libraries that aren't
// compiled with the sanitizer: it is blind to what a generic class stores. But Swift brackets each
// access to a class's stored property and to a captured variable by two calls that enforce
// exclusivity, generic or not. So the sanitizer is told at the first of them.
//
// That accuses nobody who wouldn't be accused if the type weren't generic: there the compiler puts
// the read or the write, which the sanitizer sees, between the same two calls. What isn't generic
// isn't told, as the sanitizer sees the read and the write themselves: a `pthread_mutex_t` that is a
// class's stored property may be handed to several threads' `pthread_mutex_lock` at once.
//
// Blind it stays to a local variable that no escaping closure captures, to an element behind an
// unsafe pointer, and to a key path, as Swift's library makes that access. A deinitializer and
// whatever it calls it ignores, generic or not: it doesn't see how the last reference was reached.

#include "GenericStorage.h"

#if TELLS_SANITIZER

void __tsan_read1_pc(void *address, void *code);
void __tsan_write1_pc(void *address, void *code);

/// Begins an access; Swift's runtime, include/swift/Runtime/Exclusivity.h.
UNSEEN void swift_beginAccess(void *address, void *buffer, uintptr_t flags, void *code) {
  static void *original;
  typedef void Function(void *, void *, uintptr_t, void *);
  enum { modifies = 1 };
  void *caller = __builtin_return_address(0);
  if (kata_is_instrumented(caller) && kata_is_generic_storage(address)) {
    // All accesses to a property have the same address, so its first byte stands for all of it.
    if (flags & modifies) {
      __tsan_write1_pc(address, caller);
    } else {
      __tsan_read1_pc(address, caller);
    }
  }
  ((Function *)kata_original(&original, "swift_beginAccess"))(
      address, buffer, flags, code ? code : caller);
}

#endif
