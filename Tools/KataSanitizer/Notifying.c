#define _GNU_SOURCE
#include "KataSanitizer.h"
#include "Notifying.h"

bool kata_sanitizer_is_notified(void) {
#if TELLS_SANITIZER
  return true;
#else
  return false;
#endif
}

#if TELLS_SANITIZER

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// A library may call this before the program's constructors have run, so nothing is prepared there.
// Two threads that call at once get the same result.
UNSEEN void *kata_original(void **kept, const char *name) {
  void *original = __atomic_load_n(kept, __ATOMIC_RELAXED);
  if (original) return original;
  original = dlsym(RTLD_NEXT, name);
  // A caller exists, so the symbol existed when that was linked.
  if (!original) abort();
  __atomic_store_n(kept, original, __ATOMIC_RELAXED);
  return original;
}

// MARK: - Which code is instrumented

// Uninstrumented code must not be reported: the sanitizer doesn't see how Foundation orders its own
// threads, for example, and would accuse it.

/// The code of a program or library, from its first byte to the one after its last.
typedef struct {
  uintptr_t start, end;
  bool is_instrumented;
} Image;

// Only grows. A library that is unloaded stays in it, and none is unloaded here.
enum { most_images = 256 };
static Image images[most_images];
static size_t image_count;
static bool is_looking;

/// The address of a table of a loaded image; some systems leave the offset as it was in the file.
UNSEEN static const void *table(const struct dl_phdr_info *info, ElfW(Addr) address) {
  return (const void *)(address < info->dlpi_addr ? info->dlpi_addr + address : address);
}

/// Whether a library imports the function that instrumented code calls first.
UNSEEN static bool asks_for_sanitizer(
    const struct dl_phdr_info *info, const ElfW(Dyn) *dynamic) {
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  const uint32_t *hash = NULL, *gnu_hash = NULL;
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    switch (dynamic->d_tag) {
      case DT_SYMTAB: symbols = table(info, dynamic->d_un.d_ptr); break;
      case DT_STRTAB: names = table(info, dynamic->d_un.d_ptr); break;
      case DT_HASH: hash = table(info, dynamic->d_un.d_ptr); break;
      case DT_GNU_HASH: gnu_hash = table(info, dynamic->d_un.d_ptr); break;
    }
  }
  if (!symbols || !names) return false;
  // The older table counts all symbols; the newer one says where the imported ones end.
  const uint32_t count = hash ? hash[1] : gnu_hash ? gnu_hash[1] : 0;
  for (uint32_t index = 1; index < count; index++) {
    if (strcmp(names + symbols[index].st_name, "__tsan_func_entry") == 0) return true;
  }
  return false;
}

/// A search for the image at an address.
typedef struct {
  uintptr_t address;
  Image found;
} Look;

UNSEEN static int compare(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  Look *look = context;
  const ElfW(Dyn) *dynamic = NULL;
  Image image = {UINTPTR_MAX, 0, false};
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[index];
    const uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_DYNAMIC) dynamic = (const void *)start;
    if (part->p_type != PT_LOAD) continue;
    if (start < image.start) image.start = start;
    if (start + part->p_memsz > image.end) image.end = start + part->p_memsz;
  }
  if (look->address < image.start || look->address >= image.end) return 0;
  const uintptr_t own = (uintptr_t)&kata_is_instrumented;
  image.is_instrumented =
      (image.start <= own && own < image.end) || (dynamic && asks_for_sanitizer(info, dynamic));
  look->found = image;
  return 1;
}

UNSEEN static bool known(uintptr_t address, bool *is_instrumented) {
  const size_t count = __atomic_load_n(&image_count, __ATOMIC_ACQUIRE);
  for (size_t index = 0; index < count; index++) {
    if (images[index].start <= address && address < images[index].end) {
      *is_instrumented = images[index].is_instrumented;
      return true;
    }
  }
  return false;
}

UNSEEN bool kata_is_instrumented(const void *code) {
  const uintptr_t address = (uintptr_t)code;
  bool is_instrumented = false;
  if (known(address, &is_instrumented)) return is_instrumented;
  Look look = {address, {0, 0, false}};
  if (!dl_iterate_phdr(compare, &look)) return false;
  while (__atomic_exchange_n(&is_looking, true, __ATOMIC_ACQUIRE)) {}
  if (!known(address, &is_instrumented) && image_count < most_images) {
    images[image_count] = look.found;
    __atomic_store_n(&image_count, image_count + 1, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&is_looking, false, __ATOMIC_RELEASE);
  return look.found.is_instrumented;
}

#endif
