// Shared by the files of this target; not for users.

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TELLS_SANITIZER 1
#endif
#endif

#if TELLS_SANITIZER

#include <stdbool.h>
#include <stdint.h>

/// The sanitizer must see what these functions report, and nothing that they do.
#define UNSEEN __attribute__((disable_sanitizer_instrumentation))

/// The next library's definition of `name`, after this program's own; looked up once.
UNSEEN void *kata_original(void **kept, const char *name);

/// Whether the code at `address` belongs to a program or library that is compiled with the
/// sanitizer.
UNSEEN bool kata_is_instrumented(const void *address);

#endif
