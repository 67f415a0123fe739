import Dispatch
import Foundation
import Synchronization

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
/// Safe to use from every thread.
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

  private let blocks: [@Sendable () -> String]
  private let perform: Perform
  private let collected = CollectedWords()

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
    self.blocks = blocks
    self.perform = perform
    super.init()
    // It captures the words and not the operation: that would be a retain cycle.
    completionBlock = { [collected] in completion(collected.words) }
  }

  /// The words that were made so far.
  ///
  /// - `words` has the word of each block that has returned, even if it's empty or equal to
  ///   another.
  /// - Words are in the order of their blocks, whatever order they were made in; so are those that
  ///   `completion` is given.
  public var words: [String] { collected.words }

  /// Runs the blocks and returns when all have returned.
  ///
  /// Called by `start()`, unless the operation was cancelled before.
  public override func main() {
    perform(blocks.count) { [self] position in
      guard !isCancelled else { return }
      let word = blocks[position]()
      collected.keep(word, at: position)
    }
  }
}

/// Words that several threads store at once, each at its position.
private final class CollectedWords: Sendable {
  private let wordAt = Mutex<[Int: String]>([:])

  func keep(_ word: String, at position: Int) {
    wordAt.withLock { $0[position] = word }
  }

  var words: [String] {
    wordAt.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
  }
}
