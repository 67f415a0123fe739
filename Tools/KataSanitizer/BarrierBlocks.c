// A block can have the barrier flag itself. A `DispatchWorkItem(flags: .barrier)` has it, and so
// has a block that is given to Swift's Dispatch with flags and a group, or for later. The sanitizer
// replaces the block with a function of its own, and Dispatch never sees the flag. So the block
// runs beside others, and right code was accused. Here such a block goes through a function that
// the sanitizer knows as a barrier.
//
// On a global queue a barrier is an ordinary block, but the sanitizer treats it as exclusive: wrong
// code wasn't accused. So there it's submitted as an ordinary block.

#include "Notifying.h"

#if TELLS_SANITIZER

#include <stddef.h>
#include <stdlib.h>

/// A block without parameters and result, as the compiler lays it out, and the fields that Dispatch
/// adds to blocks that it creates.
///
/// Source: clang/docs/Block-ABI-Apple.rst of the LLVM project; src/block.cpp and
/// src/queue_internal.h of
/// swift-corelibs-libdispatch.
typedef struct Block {
  const void *class;
  int32_t flags, reserved;
  void (*invoke)(struct Block *);
  const struct {
    uintptr_t reserved, size;
  } *descriptor;
  // From here on only in Dispatch's own blocks.
  uintptr_t magic, dispatch_flags;
} Block;

enum { dispatch_barrier = 1 };
static const uintptr_t dispatch_magic = 0xD159B10C;

void *_Block_copy(const void *block);
void _Block_release(const void *block);

typedef void Function(void *context);

void *dispatch_get_global_queue(intptr_t class, uintptr_t flags);
void dispatch_retain(void *object);
void dispatch_release(void *object);
void dispatch_group_enter(void *group);
void dispatch_group_leave(void *group);
// The sanitizer's.
void dispatch_barrier_async_f(void *queue, void *context, Function *function);
void dispatch_after_f(uint64_t when, void *queue, void *context, Function *function);
void __interceptor_dispatch_async(void *queue, Block *block);
void __interceptor_dispatch_sync(void *queue, Block *block);
void __interceptor_dispatch_barrier_async(void *queue, Block *block);
void __interceptor_dispatch_barrier_sync(void *queue, Block *block);
void __interceptor_dispatch_group_async(void *group, void *queue, Block *block);
void __interceptor_dispatch_after(uint64_t when, void *queue, Block *block);

UNSEEN static bool is_global(const void *queue) {
  static const intptr_t classes[] = {0x21, 0x19, 0x15, 0x11, 0x09, 0x05};
  for (size_t index = 0; index < sizeof classes / sizeof *classes; index++) {
    for (uintptr_t overcommits = 0; overcommits <= 2; overcommits += 2) {
      if (queue == dispatch_get_global_queue(classes[index], overcommits)) return true;
    }
  }
  return false;
}

/// Whether a block is exclusive on a queue because of its own flag.
UNSEEN static bool is_barrier(const Block *block, const void *queue) {
  return block->descriptor->size >= sizeof(Block) && block->magic == dispatch_magic
      && (block->dispatch_flags & dispatch_barrier) && !is_global(queue);
}

/// A barrier that was given to a group, or for later; it owns its fields.
typedef struct {
  Block *block;
  void *queue, *group;
} Barrier;

UNSEEN static Barrier *barrier(void *queue, void *group, Block *block) {
  Barrier *barrier = malloc(sizeof *barrier);
  if (!barrier) abort();
  *barrier = (Barrier){_Block_copy(block), queue, group};
  dispatch_retain(queue);
  return barrier;
}

UNSEEN static void run(void *context) {
  Barrier *barrier = context;
  barrier->block->invoke(barrier->block);
  _Block_release(barrier->block);
  if (barrier->group) dispatch_group_leave(barrier->group);
  dispatch_release(barrier->queue);
  free(barrier);
}

UNSEEN static void submit(void *context) {
  dispatch_barrier_async_f(((Barrier *)context)->queue, context, run);
}

UNSEEN void dispatch_barrier_async(void *queue, Block *block) {
  if (is_global(queue)) {
    __interceptor_dispatch_async(queue, block);
  } else {
    __interceptor_dispatch_barrier_async(queue, block);
  }
}

UNSEEN void dispatch_barrier_sync(void *queue, Block *block) {
  if (is_global(queue)) {
    __interceptor_dispatch_sync(queue, block);
  } else {
    __interceptor_dispatch_barrier_sync(queue, block);
  }
}

UNSEEN void dispatch_async(void *queue, Block *block) {
  if (is_barrier(block, queue)) {
    __interceptor_dispatch_barrier_async(queue, block);
  } else {
    __interceptor_dispatch_async(queue, block);
  }
}

UNSEEN void dispatch_sync(void *queue, Block *block) {
  if (is_barrier(block, queue)) {
    __interceptor_dispatch_barrier_sync(queue, block);
  } else {
    __interceptor_dispatch_sync(queue, block);
  }
}

UNSEEN void dispatch_group_async(void *group, void *queue, Block *block) {
  if (is_barrier(block, queue)) {
    // An entered group stays alive until it is left.
    dispatch_group_enter(group);
    submit(barrier(queue, group, block));
  } else {
    __interceptor_dispatch_group_async(group, queue, block);
  }
}

UNSEEN void dispatch_after(uint64_t when, void *queue, Block *block) {
  if (is_barrier(block, queue)) {
    dispatch_after_f(
        when, dispatch_get_global_queue(0, 0), barrier(queue, NULL, block), submit);
  } else {
    __interceptor_dispatch_after(when, queue, block);
  }
}

#endif
