// Shared by the files of this target; not for users.

#include "Notifying.h"

#if TELLS_SANITIZER

/// Whether the storage at `address` belongs to a Swift object and is copied where the sanitizer
/// doesn't see it.
///
/// That's a class's stored property whose type depends on a generic parameter or on a struct or an
/// enum of instrumented code, or a captured variable of a type whose size the compiler didn't know.
UNSEEN bool kata_is_unseen_storage(const void *address);

#endif
