#ifndef KATA_SANITIZER_H
#define KATA_SANITIZER_H

#include <stdbool.h>

// What Thread Sanitizer can't see of a Swift program by itself, told to it.
//
// A program that is built with the sanitizer and links this target defines some public functions of
// Swift's libraries and Dispatch's itself, tells the sanitizer what is done, and goes on to the original. A
// library that the program links or loads finds the program's definitions first, as long as it is
// compiled with the sanitizer, too, what it does is told as well.
//
// - Mutex.c: a contended `Synchronization.Mutex` is handed over.
// - BarrierBlocks.c: a barrier is a flag of its block, or is on a global queue, where it is none.
// - StoredProperties.c: a stored property is read or changed, of whatever type it is.
//
// Only on Linux. On Apple's systems the linker binds Swift's libraries by name and library, so a
// program's own definition isn't found by others; there `DYLD_INSERT_LIBRARIES` with an
// `__interpose` section would do the same. `Mutex` doesn't need it, being an
// `os_unfair_lock` there, which the sanitizer knows; barriers would.

/// Whether this program is built with Thread Sanitizer, and the sanitizer is told.
bool kata_sanitizer_is_told(void);

#endif
