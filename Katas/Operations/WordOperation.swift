// Page: make page KATA=WordOperation (Docs/ConcurrencyKatas.docc/WordOperation.md)
// Read first: make page KATA=Operations (the chapter of the module)

import Dispatch
import Foundation

/// An operation of many blocks, each of which makes a word, with one completion.
///
/// ```swift
/// let operation = WordOperation(pages.map { page in { page.longestWord } }) { words in
///   show(words)
/// }
/// OperationQueue().addOperation(operation)
/// ```
///
/// On Apple's systems a `BlockOperation` runs its blocks concurrently; on Linux Foundation runs
/// them one after another. This operation behaves the same on both.
///
/// - Unless the operation is cancelled, each block is called once when it runs. No block is called
///   before.
/// - The operation has finished when the last block has returned, and not before.
/// - A block whose iteration begins after the cancellation is never called.
/// - Several blocks may return at once, and any thread may read `words` meanwhile.
/// - Unless a closure of the caller captures it, nothing that the operation stores retains it: once
///   it has finished and the last reference from outside is gone, it is released.
///
/// A block that runs when the operation is cancelled isn't interrupted.
///
/// Your turn. In `init`, store the blocks and set `completionBlock`, which is called after the
/// operation has finished, even if it was cancelled before its start. In `main()`, call `perform`
/// with one iteration for each block. Each iteration checks `isCancelled`, calls its block and
/// stores the word. Several threads store words at the same time, in any order: the storage needs
/// mutual exclusion (a lock), and a position for each word.
///
/// Source: Apple's documentation of `Operation` and of `BlockOperation`, "an operation that manages
/// the concurrent execution of one or more blocks"; `Operation.swift` of swift-corelibs-foundation
/// for Linux.
public final class WordOperation: Operation, @unchecked Sendable {  // Safe: never changes.
  /// Runs the iterations 0 to `iterations` - 1 by calling `body` once with each.
  ///
  /// Iterations may run on any threads and in any order. It returns when all of them have returned.
  public typealias Perform =
    @Sendable (
      _ iterations: Int, _ body: @escaping @Sendable (_ iteration: Int) -> Void
    ) -> Void

  private let perform: Perform

  // TODO: Store the blocks and the words; say beside `@unchecked Sendable` what makes that safe.
  // Avoid a retain cycle: the operation retains its completion block, so the block mustn't capture
  // the operation. Let it capture a small class of yours that keeps the words behind a lock.

  /// Creates an operation that runs `blocks` when it is started.
  ///
  /// - `perform` runs each block in the iteration that has the block's index, even if there is only
  ///   one block.
  /// - `perform` is called on the thread that runs the operation.
  /// - If `perform` runs iterations on several threads, their blocks run side by side: no lock is
  ///   held while a block runs.
  /// - By default blocks run side by side, on no more threads than there are cores, as with
  ///   `DispatchQueue.concurrentPerform`.
  /// - `completion` is called once, and not before the operation has finished.
  /// - `completion` is called with the words that were made, even if there are no blocks or the
  ///   operation was cancelled.
  /// - While `completion` runs, every thread may read `words` without waiting for it to return.
  ///
  /// - Parameters:
  ///   - blocks: The work. Each block returns one word and may take long.
  ///   - perform: Runs an iteration for each block.
  ///   - completion: Called on a thread of Foundation's choice after the operation has finished. It
  ///     is the operation's `completionBlock`, which the caller must not replace.
  public init(
    _ blocks: [@Sendable () -> String],
    perform: @escaping Perform = { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) },
    completion: @escaping @Sendable (_ words: [String]) -> Void
  ) {
    self.perform = perform
    super.init()
    // TODO: Store the blocks, and set the completion block.
  }

  /// The words that were made so far.
  ///
  /// - `words` has the word of each block that has returned, even if it's empty or equal to
  ///   another.
  /// - Words are in the order of their blocks, whatever order they were made in; so are those that
  ///   `completion` is given.
  public var words: [String] {
    // TODO: Return the words in the order of their blocks.
    []
  }

  /// Runs the blocks and returns when all have returned.
  ///
  /// Called by `start()`, unless the operation was cancelled before.
  public override func main() {
    // TODO: Call perform(number of blocks) { position in … }. Each iteration calls one block and
    // stores its word, unless the operation has been cancelled.
  }
}
