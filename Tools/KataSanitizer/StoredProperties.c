// The sanitizer sees reads and writes in compiled code. Unspecialised code of a generic type leaves
// both to functions that belong to the value's type, in libraries that aren't compiled with the
// sanitizer. So the sanitizer is blind to what a generic class stores. The same holds with library
// evolution, where a value of a public struct or enum goes through functions that the compiler
// generates and doesn't instrument. But Swift brackets each access to a class's stored property and
// to a captured variable with two calls that enforce exclusivity, whatever the type. So the
// sanitizer is notified at both of them.
//
// That accuses only code that would also be accused with another type: there the compiler puts the
// read or the write, which the sanitizer sees, between the same two calls. Other accesses aren't
// reported, since the sanitizer sees the read and the write itself. For example, a
// `pthread_mutex_t` that is a class's stored property may be passed to `pthread_mutex_lock` on
// several threads at once.
//
// The sanitizer stays blind to a local variable that no escaping closure captures, to an element
// behind an unsafe pointer, and to a key path, since Swift's library makes that access. It ignores
// a deinitializer and everything that it calls, generic or not: it doesn't see how the last
// reference was reached.

#include "UnseenStorage.h"

#if TELLS_SANITIZER

void __tsan_read1_pc(void *address, void *code);
void __tsan_write1_pc(void *address, void *code);

/// What the runtime keeps of an access, in a buffer that its caller provides.
typedef struct {
  void *address, *code;
  uintptr_t next_and_action;
} Access;

enum { modifies = 1, is_tracked = 0x20 };

/// Whether the buffer of an access has this layout; checked once an access has begun.
static bool is_known_layout = true;

UNSEEN static void tell(void *address, bool is_change, void *code) {
  if (!kata_is_instrumented(code) || !kata_is_unseen_storage(address)) return;
  // All accesses to a property have the same address, so its first byte stands for all of it.
  if (is_change) {
    __tsan_write1_pc(address, code);
  } else {
    __tsan_read1_pc(address, code);
  }
}

/// Begins an access; Swift's runtime, include/swift/Runtime/Exclusivity.h.
UNSEEN void swift_beginAccess(void *address, Access *buffer, uintptr_t flags, void *code) {
  static void *original;
  typedef void Function(void *, Access *, uintptr_t, void *);
  void *caller = __builtin_return_address(0);
  tell(address, flags & modifies, caller);
  ((Function *)kata_original(&original, "swift_beginAccess"))(
      address, buffer, flags, code ? code : caller);
  // If exclusivity isn't enforced, the buffer has no address.
  if ((flags & is_tracked) && buffer->address
      && (buffer->address != address || (buffer->next_and_action & modifies) != (flags & modifies))) {
    __atomic_store_n(&is_known_layout, false, __ATOMIC_RELAXED);
  }
}

/// Ends an access, and notifies the sanitizer again. In between, looking up the value's type may
/// take locks in Swift's runtime; these would seem to order what was reported before them.
UNSEEN void swift_endAccess(Access *buffer) {
  static void *original;
  typedef void Function(Access *);
  if (__atomic_load_n(&is_known_layout, __ATOMIC_RELAXED) && buffer->address) {
    // With the code that began it: the end often has no line of its own.
    tell(buffer->address, buffer->next_and_action & modifies, buffer->code);
  }
  ((Function *)kata_original(&original, "swift_endAccess"))(buffer);
}

#endif
