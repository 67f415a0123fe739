#ifndef KATA_SANITIZER_H
#define KATA_SANITIZER_H

#include <stdbool.h>

// Reports to Thread Sanitizer what it can't see of a Swift program by itself.
//
// A program that is built with the sanitizer and links this target defines some public functions of
// Swift's libraries and of Dispatch itself, notifies the sanitizer, and calls the original. A
// library that the program links or loads finds the program's definitions first; if it's compiled
// with the sanitizer too, its calls are reported as well.
//
// - Mutex.c: a contended `Synchronization.Mutex` is handed over.
// - BarrierBlocks.c: a barrier is a flag of its block, or is on a global queue, where it has no
//   effect.
// - StoredProperties.c: a stored property of any type is read or changed.
//
// Only on Linux. On Apple's platforms the linker binds Swift's libraries by name and library, so
// other libraries don't find a program's own definition; `DYLD_INSERT_LIBRARIES` with an
// `__interpose` section would do the same there. `Mutex` doesn't need it, since it's an
// `os_unfair_lock` there, which the sanitizer knows; barriers would.

/// Whether this program is built with Thread Sanitizer, and the sanitizer is notified.
bool kata_sanitizer_is_notified(void);

#endif
