// `Synchronization.Mutex` locks and unlocks with an atomic exchange that is compiled into its user,
// where the sanitizer sees it. Under contention it's handed over in the kernel, by functions of a
// library that isn't compiled with the sanitizer; right code was accused. Here these calls are
// bracketed by the annotations that the sanitizer needs.

#include "Notifying.h"

#if TELLS_SANITIZER

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Methods of the mutex's handle, whose address, and so its word's, is passed as self.
#define METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

METHOD void kata_lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
METHOD bool kata_try_lock_slow(SELF) __asm__(TRY_LOCK_SLOW);
METHOD void kata_unlock_slow(SELF) __asm__(UNLOCK_SLOW);

UNSEEN METHOD void kata_lock_slow(uint32_t thread, SELF) {
  static void *original;
  typedef METHOD void Method(uint32_t, SELF);
  ((Method *)kata_original(&original, LOCK_SLOW))(thread, handle);
  __tsan_acquire(handle);
}

UNSEEN METHOD bool kata_try_lock_slow(SELF) {
  static void *original;
  typedef METHOD bool Method(SELF);
  const bool is_locked = ((Method *)kata_original(&original, TRY_LOCK_SLOW))(handle);
  if (is_locked) __tsan_acquire(handle);
  return is_locked;
}

UNSEEN METHOD void kata_unlock_slow(SELF) {
  static void *original;
  typedef METHOD void Method(SELF);
  // Before the unlock: the next owner must see this.
  __tsan_release(handle);
  ((Method *)kata_original(&original, UNLOCK_SLOW))(handle);
}

#endif
