// Shared by the files of this target; nothing for users.

#include "Telling.h"

#if TELLS_SANITIZER

/// Whether the storage at `address` belongs to a Swift object and is of a generic type.
///
/// That's a class's stored property whose type depends on a generic parameter, or a captured variable
/// of a type whose size the compiler didn't know.
UNSEEN bool kata_is_generic_storage(const void *address);

#endif
