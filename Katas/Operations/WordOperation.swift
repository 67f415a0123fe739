// Page: make page KATA=WordOperation (Docs/ConcurrencyKatas.docc/WordOperation.md)

import Dispatch
import Foundation

/// An operation of many blocks, each of which makes a word, with one completion when all are made.
///
/// ```swift
/// let operation = WordOperation(pages.map { page in { page.longestWord } }) { words in
///   show(words)
/// }
/// OperationQueue().addOperation(operation)
/// ```
///
/// **The blocks run side by side**, each once, on several threads; `perform` decides on how many. It is
/// called on the thread that runs the operation, and the operation has finished when the last block has
/// returned. On Apple's systems a `BlockOperation` runs its blocks so by itself; on Linux Foundation runs
/// them one after another. This operation does the same everywhere.
///
/// **Cancellation.** Blocks that haven't begun when the operation is cancelled are left out; one that
/// runs isn't interrupted. The completion is called all the same, with the words that there are.
///
/// It keeps nothing alive once it has finished and nobody holds it, itself included. Safe to use from
/// every thread.
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
  /// - Parameters:
  ///   - blocks: What it does, called once each when it runs. A block makes one word and may take its
  ///     time; no lock is held meanwhile.
  ///   - perform: Runs an iteration for each block. By default `DispatchQueue.concurrentPerform`, which
  ///     keeps every core busy and starts no more threads than that.
  ///   - completion: Called once, on a thread of Foundation's choice, when the operation has finished
  ///     or was cancelled and has left its queue; with the words in the order of their blocks. It is
  ///     the operation's `completionBlock`, so leave that alone. No lock is held while it runs: `words`
  ///     may be read then, on any thread.
  public init(
    _ blocks: [@Sendable () -> String],
    perform: @escaping Perform = { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) },
    completion: @escaping @Sendable (_ words: [String]) -> Void
  ) {
    self.perform = perform
    super.init()
    // TODO: Keep the blocks, and set the completion block.
  }

  /// The words that are made so far, in the order of their blocks.
  public var words: [String] {
    // TODO: Whatever order they came in.
    []
  }

  /// Runs the blocks and returns when all have returned.
  ///
  /// Called by `start()`, never where the operation was cancelled before.
  public override func main() {
    // TODO: perform(how many) { number in … }, which runs one block and keeps its word. A block that
    // hasn't begun when the operation is cancelled must be left out.
  }
}
