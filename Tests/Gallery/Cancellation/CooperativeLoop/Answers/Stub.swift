// Page: make page KATA=CooperativeLoop (Docs/ConcurrencyKatas.docc/CooperativeLoop.md)

import Foundation

/// What a ``CooperativeLoop`` has done so far.
public struct LoopResult: Equatable, Sendable {
  /// The sum of the values that the chunks so far have returned.
  public let total: Int
  /// How many items have been worked on, beginning with the first.
  public let itemCount: Int
  /// Whether all items have been worked on.
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
/// `cancel()` is a request, and only the work can grant it: cooperative cancellation. So a chunk
/// should be short enough to be waited for, and long enough that checking `isCancelled` costs
/// nothing beside it.
///
/// - The chunks run one after another, in the order of the items.
/// - `work` is given `chunkSize` items at a time; the last chunk may be smaller, but none is empty.
/// - `work` is given each of the items from 0 to `count - 1` once, unless the loop is cancelled.
/// - If the loop is cancelled while a chunk runs, no other chunk begins.
/// - A chunk that is running when the loop is cancelled finishes, and its result counts.
/// - A cancelled loop keeps the result of the chunks that have ended.
/// - A loop that is cancelled before its start works on nothing, and waits for no dependency.
/// - `cancel()` returns without waiting for the chunk that runs.
/// - The loop is finished when all its chunks have ended, not before.
/// - No chunk runs before the loop is started.
/// - While one thread works, others may cancel the loop and read `result`, without a data race.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: write `main()`, and make it safe to read `result` on any thread.
///
/// - The inherited `start()` calls `main()`, unless the loop was cancelled before. The operation is
///   finished when `main()` returns. Override nothing else: `isCancelled` is inherited too.
/// - Cancellation is cooperative: check `isCancelled` before each chunk.
/// - Put a new `LoopResult` into `current` after each chunk.
/// - The thread that runs `main()` writes `current`, and others read it: a data race. Guard it with
///   a lock, but don't hold the lock while a chunk runs.
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
  ///   - count: The number of items; they are numbered from 0.
  ///   - chunkSize: How many items a chunk has, at least one.
  ///   - work: Works on the items of one chunk, given by their numbers, and returns a number, which
  ///     is added to the total.
  public init(count: Int, chunkSize: Int, work: @escaping @Sendable (Range<Int>) -> Int) {
    precondition(count >= 0, "A loop can't have \(count) items.")
    precondition(chunkSize > 0, "A chunk holds at least one item, not \(chunkSize).")
    self.count = count
    self.chunkSize = chunkSize
    self.work = work
    current = LoopResult(total: 0, itemCount: 0, isComplete: count == 0)
    super.init()
  }

  /// The result of the chunks that have ended so far; it may be read at any time.
  ///
  /// - `result` holds the total and the number of items of all chunks that have ended, even of
  ///   chunks that returned 0.
  /// - `isComplete` is true if all items are in the result, even if the loop is cancelled;
  ///   otherwise it's false.
  /// - `result` doesn't wait for the chunk that runs, so `work` may read it, too.
  public var result: LoopResult { current }

  /// Works on the items, chunk by chunk, until all are done or the loop is cancelled.
  ///
  /// Only `start()` may call it.
  public override func main() {
    // TODO: Until no items are left or it's cancelled, give a chunk to `work` and keep the result.
  }
}
