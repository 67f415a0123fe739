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

  private let blocks: [@Sendable () -> String]
  private let perform: Perform
  private let collected = CollectedWords()

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
    self.blocks = blocks
    self.perform = perform
    super.init()
    // It holds the words and not the operation, which would hold itself by holding the block.
    completionBlock = { [collected] in completion(collected.words) }
  }

  /// The words that are made so far, in the order of their blocks.
  public var words: [String] { collected.words }

  /// Runs the blocks and returns when all have returned.
  ///
  /// Called by `start()`, never where the operation was cancelled before.
  public override func main() {
    perform(blocks.count) { [self] position in
      guard !isCancelled else { return }
      let word = blocks[position]()
      collected.keep(word, at: position)
    }
  }
}

/// Words that several threads bring at once, each with its place.
private final class CollectedWords: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var wordAt: [Int: String] = [:]
  private let lock = NSLock()

  func keep(_ word: String, at position: Int) {
    lock.withLock { wordAt[position] = word }
  }

  var words: [String] {
    lock.withLock { wordAt }.sorted { $0.key < $1.key }.map(\.value)
  }
}
