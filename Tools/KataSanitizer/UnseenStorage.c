// What Swift's runtime knows about an object's type, as its ABI lays it out where there is no
// Objective-C: docs/ABI/TypeMetadata.rst and include/swift/ABI/Metadata.h of the Swift project.

#include "UnseenStorage.h"

#if TELLS_SANITIZER

#include <stddef.h>

const void *__sanitizer_get_allocated_begin(const void *address);
size_t __sanitizer_get_allocated_size(const void *address);

/// What an object's first word points to.
typedef struct Metadata {
  uintptr_t kind;
  // From here on only for a class.
  const struct Metadata *superclass;
  uint32_t flags, address_point, instance_size;
  uint16_t align_mask, reserved;
  uint32_t class_size, class_address_point;
  const struct Descriptor *descriptor;
} Metadata;

enum { class_kind = 0, generic_box_kind = 0x500 };

/// The descriptor of a class; relative offsets count from their own address.
typedef struct Descriptor {
  uint32_t flags;
  int32_t parent, name, access_function, fields, superclass;
  /// Where the metadata begins and ends; relative if a superclass is in a resilient library.
  int32_t bounds;
  uint32_t positive_size, immediate_members, field_count, field_offsets;
} Descriptor;

enum {
  kind_bits = 0x1F,
  class_descriptor = 16,
  struct_descriptor = 17,
  enum_descriptor = 18,
  is_unique = 0x40,
  has_resilient_superclass = 1u << 29
};

/// A stored property's name and type.
typedef struct {
  uint32_t flags;
  int32_t type, name;
} Field;

typedef struct {
  int32_t type, superclass;
  uint16_t kind, field_size;
  uint32_t field_count;
  Field fields[];
} Fields;

UNSEEN static const void *follow(const int32_t *relative) {
  return *relative ? (const char *)relative + *relative : NULL;
}

/// The offsets of a class's own stored properties.
UNSEEN static const uintptr_t *field_offsets(
    const Metadata *metadata, const Descriptor *descriptor) {
  const uintptr_t *start = (const uintptr_t *)metadata;
  if (descriptor->flags & has_resilient_superclass) {
    const ptrdiff_t *bounds = follow(&descriptor->bounds);
    if (!bounds) return NULL;
    start = (const uintptr_t *)((const char *)metadata + *bounds);
  }
  return start + descriptor->field_offsets;
}

UNSEEN static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

UNSEEN static bool is_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

/// What follows an identifier in a mangled name, or NULL if there is none.
UNSEEN static const char *after_identifier(const char *name) {
  bool has_words = false, is_punycode = false;
  if (*name == '0') {
    name++;
    if (*name == '0') {
      name++;
      is_punycode = true;
    } else {
      has_words = true;
    }
  }
  do {
    while (has_words && is_letter(*name)) {
      if (*name <= 'Z') has_words = false;
      name++;
    }
    if (*name == '0') return name + 1;
    if (!is_digit(*name)) return NULL;
    size_t count = 0;
    while (is_digit(*name)) count = count * 10 + (size_t)(*name++ - '0');
    if (is_punycode && *name == '_') name++;
    for (; count > 0; count--) {
      if (!*name++) return NULL;
    }
  } while (has_words);
  return name;
}

/// Whether a reference in a mangled type is to a struct or an enum of code that is compiled with
/// the sanitizer.
UNSEEN static bool is_own_value(const char *reference) {
  int32_t offset;
  __builtin_memcpy(&offset, reference + 1, sizeof offset);
  const char *target = reference + 1 + offset;
  // A reference to a descriptor, or to its address.
  const Descriptor *descriptor = NULL;
  if (*reference == 1) descriptor = (const Descriptor *)target;
  if (*reference == 2) __builtin_memcpy(&descriptor, target, sizeof descriptor);
  if (!descriptor) return false;
  const uint32_t kind = descriptor->flags & kind_bits;
  // A descriptor that isn't unique is of an imported C type, such as `pthread_mutex_t`: every user
  // has its own.
  return (kind == struct_descriptor || kind == enum_descriptor) && (descriptor->flags & is_unique)
      && kata_is_instrumented(descriptor);
}

/// Whether values of a mangled type may be copied where the sanitizer doesn't see it. The type
/// contains a generic parameter (`x` is the first, `q` begins any other), or a struct or an enum of
/// a library, which with library evolution has functions for copying.
///
/// Source: docs/ABI/Mangling.rst of the Swift project.
UNSEEN static bool is_copied_unseen(const char *name) {
  while (name && *name) {
    const unsigned char letter = (unsigned char)*name;
    if (letter < 0x20) {
      if (is_own_value(name)) return true;
      // A reference in place of a name: four bytes, or as long as an address.
      name += letter < 0x18 ? 5 : 1 + sizeof(void *);
    } else if (is_digit(*name)) {
      name = after_identifier(name);
    } else if (letter == 'S') {
      // The standard library's types have one letter, or two if they are about concurrency.
      if (name[1] == 'c' && name[2]) name++;
      name += name[1] ? 2 : 1;
    } else if (letter == 'A') {
      // A substitution for an earlier name; the last of several has a capital.
      do { name++; } while (is_digit(*name) || (*name >= 'a' && *name <= 'z'));
      if (*name) name++;
    } else if (letter == 'x' || letter == 'q') {
      return true;
    } else {
      name++;
    }
  }
  return false;
}

/// Whether the property at `offset` is of such a type; false if the runtime doesn't say.
UNSEEN static bool is_unseen_property(const Metadata *metadata, uintptr_t offset) {
  // A property without size has the offset of the next one, or is past the object.
  if (offset >= metadata->instance_size) return false;
  for (; metadata && metadata->kind == class_kind; metadata = metadata->superclass) {
    const Descriptor *descriptor = metadata->descriptor;
    if (!descriptor || (descriptor->flags & kind_bits) != class_descriptor) return false;
    const uintptr_t *offsets = field_offsets(metadata, descriptor);
    const Fields *fields = follow(&descriptor->fields);
    if (!offsets || !fields || fields->field_size != sizeof(Field)) continue;
    const Field *found = NULL;
    for (uint32_t index = 0; index < fields->field_count; index++) {
      if (index >= descriptor->field_count) break;
      if (offsets[index] != offset) continue;
      if (found) return false;
      found = &fields->fields[index];
    }
    if (found) return is_copied_unseen(follow(&found->type));
  }
  return false;
}

UNSEEN bool kata_is_unseen_storage(const void *address) {
  const Metadata *const *object = __sanitizer_get_allocated_begin(address);
  // A global variable isn't in a heap block, and is never generic. A property is never at the
  // beginning of a block: that's where the object's type is.
  if (!object || (const void *)object == address || !*object) return false;
  const Metadata *metadata = *object;
  const uintptr_t offset = (uintptr_t)address - (uintptr_t)object;
  if (metadata->kind == generic_box_kind) return offset < __sanitizer_get_allocated_size(object);
  return metadata->kind == class_kind && is_unseen_property(metadata, offset);
}

#endif
