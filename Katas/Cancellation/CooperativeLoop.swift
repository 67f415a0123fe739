// Page: make page KATA=CooperativeLoop (Docs/ConcurrencyKatas.docc/CooperativeLoop.md)

import Foundation

/// What a ``CooperativeLoop`` has done so far.
public struct LoopResult: Equatable, Sendable {
  /// The sum of what the chunks so far have come to.
  public let total: Int
  /// How many items have been worked on, from the first on.
  public let itemCount: Int
  /// Whether all items have.
  public let isComplete: Bool

  /// Creates the result of a loop that has worked on `itemCount` items.
  public init(total: Int, itemCount: Int, isComplete: Bool) {
    self.total = total
    self.itemCount = itemCount
    self.isComplete = isComplete
  }
}

/// Long work on many items, chunk by chunk, that can be cancelled between two chunks.
///
/// ```swift
/// let dark = CooperativeLoop(count: pixels.count, chunkSize: 10_000) { range in
///   range.count { pixels[$0].isDark }
/// }
/// queue.addOperation(dark)
/// dark.cancel()  // stops soon; dark.result tells how far it came
/// ```
///
/// **Cancellation.** `cancel()` is a request, and nobody but the work can grant it. The loop looks
/// before each chunk: the chunk that runs when the loop is cancelled comes to its end and counts,
/// and no other begins. So a chunk should be small enough to be waited for, and large enough that
/// looking costs nothing beside it. `cancel()` itself doesn't wait.
///
/// **The result** may be asked for at any time, and is what the chunks so far have made. What has
/// been done when the loop is cancelled is kept, and marked as incomplete; but a loop that was
/// cancelled during its last chunk has done everything, and says so. Cancelled before its start, the
/// loop works on nothing, and waits for no dependency.
///
/// Safe to use from every thread. The chunks run one after another, in the order of the items; the
/// operation is finished when no more of them runs.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: write `main()`, and see to it that `result` may be asked for by any thread.
///
/// - `main()` is called by the inherited `start()`, which doesn't call it where the loop was
///   cancelled before; and the operation is finished when `main()` returns. There's nothing else to
///   override: `isCancelled` is inherited too.
/// - Put a new `LoopResult` into `current` after each chunk.
/// - `current` is written by the thread of `main()` and read by others. Guard it with a lock, but
///   don't hold the lock while a chunk runs.
///
public final class CooperativeLoop: Operation,
  @unchecked Sendable  // Safe: not yet! Nothing protects `current` so far.
{
  private let count: Int
  private let chunkSize: Int
  private let work: @Sendable (Range<Int>) -> Int
  private var current: LoopResult

  /// Creates a loop that waits to be started.
  ///
  /// - Parameters:
  ///   - count: How many items there are; they are numbered from 0 on.
  ///   - chunkSize: How many items are worked on between two looks at `isCancelled`, at least one.
  ///     The last chunk may be smaller.
  ///   - work: Works on the items of one chunk, given by their numbers, and returns what they come
  ///     to. It may ask the loop for its result.
  public init(count: Int, chunkSize: Int, work: @escaping @Sendable (Range<Int>) -> Int) {
    precondition(count >= 0, "A loop has no items or more, not \(count).")
    precondition(chunkSize > 0, "A chunk holds at least one item, not \(chunkSize).")
    self.count = count
    self.chunkSize = chunkSize
    self.work = work
    current = LoopResult(total: 0, itemCount: 0, isComplete: count == 0)
    super.init()
  }

  /// What the chunks that have ended have made so far.
  ///
  /// Doesn't wait for the chunk that runs.
  public var result: LoopResult { current }

  /// Works on the items, chunk by chunk, until all are done or the loop is cancelled.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    // TODO: As long as there are items left and nobody has cancelled the loop, give the next
    // chunk to `work`, then keep what it has come to.
  }
}
