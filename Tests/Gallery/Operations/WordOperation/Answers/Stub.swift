// Page: make page KATA=WordOperation (Docs/ConcurrencyKatas.docc/WordOperation.md)

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
/// On Apple's systems a `BlockOperation` runs its blocks side by side by itself; on Linux
/// Foundation runs them one after another. This operation does the same everywhere.
///
/// - Each block is called once when the operation runs, and no block is called before.
/// - The operation has finished when the last block has returned, and not before.
/// - A block that hasn't begun when the operation is cancelled is never called.
/// - Several blocks may return at once, and any thread may read `words` meanwhile.
/// - The operation keeps nothing that refers back to it: once it has finished and the last
///   reference from outside is gone, it is released.
///
/// A block that runs when the operation is cancelled isn't interrupted.
///
/// Your turn. In `init`, keep the blocks and set `completionBlock`: a queue calls it when the operation
/// has left, however it has ended. In `main()`, let `perform` run an iteration for each block, which
/// makes its word and keeps it. Several threads bring their words at once, in any order: where do you
/// keep them, and what keeps them apart?
///
/// Source: Apple's documentation of `Operation` and of `BlockOperation`, "an operation that manages the
/// concurrent execution of one or more blocks"; `Operation.swift` of swift-corelibs-foundation for Linux.
public final class WordOperation: Operation, @unchecked Sendable {  // Safe: never changes.
  /// Runs the iterations 0 to `iterations` - 1 by calling `body` once with each.
  ///
  /// On any threads and in any order; it returns when all of them have returned.
  public typealias Perform =
    @Sendable (
      _ iterations: Int, _ body: @escaping @Sendable (_ iteration: Int) -> Void
    ) -> Void

  private let perform: Perform

  // TODO: Where are the blocks, and where are the words? Say in the class's first line what keeps that
  // safe. Mind who holds whom: an operation holds its completion block, so one that holds the operation
  // keeps it alive for ever. It can hold a small class of yours, with a lock, instead.

  /// Creates an operation that waits to be started.
  ///
  /// - `perform` runs each block in an iteration of its own, even if there is only one block.
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
  ///   - blocks: What it does. A block makes one word and may take its time.
  ///   - perform: Runs an iteration for each block.
  ///   - completion: Called on a thread of Foundation's choice, when the operation has left its
  ///     queue. It is the operation's `completionBlock`, which the caller must leave alone.
  public init(
    _ blocks: [@Sendable () -> String],
    perform: @escaping Perform = { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) },
    completion: @escaping @Sendable (_ words: [String]) -> Void
  ) {
    self.perform = perform
    super.init()
    // TODO: Keep the blocks, and set the completion block.
  }

  /// The words that are made so far.
  ///
  /// - `words` has the word of each block that has returned, even if it's empty or equal to
  ///   another.
  /// - Words are in the order of their blocks, whatever order they were made in; so are those that
  ///   `completion` is given.
  public var words: [String] {
    // TODO: Whatever order they came in.
    []
  }

  /// Runs the blocks and returns when all have returned.
  ///
  /// Called by `start()`, unless the operation was cancelled before.
  public override func main() {
    // TODO: perform(how many) { number in … }, which runs one block and keeps its word. A block that
    // hasn't begun when the operation is cancelled must be left out.
  }
}
