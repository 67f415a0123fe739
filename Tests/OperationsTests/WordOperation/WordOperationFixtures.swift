import Dispatch
import Foundation
import KataTesting
import Testing

/// Ways to run an operation's blocks that don't depend on how many cores there are.
enum WordPerformers {
  /// One after another, from the last to the first.
  static let backwards: WordOperation.Perform = { iterations, body in
    for iteration in (0..<iterations).reversed() { body(iteration) }
  }

  /// One after another.
  static let forwards: WordOperation.Perform = { iterations, body in
    for iteration in 0..<iterations { body(iteration) }
  }

  /// Each on a thread of its own.
  static let together: WordOperation.Perform = { iterations, body in
    let all = DispatchGroup()
    for iteration in 0..<iterations {
      all.enter()
      Thread.detachNewThread {
        body(iteration)
        all.leave()
      }
    }
    all.wait()
  }

  /// How many of two iterations concurrentPerform runs at once: one, where it has one core to itself.
  static var iterationsAtOnce: Int {
    let inside = Counter()
    let release = Gate("release both iterations")
    Thread.detachNewThread {
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        inside.increment()
        release.wait()
      }
    }
    eventually("concurrentPerform never begins.") { inside.value > 0 }
    runUntilQuiet()
    defer { release.open() }
    return inside.value
  }

  /// Two, the second when the first has ended and though nothing has told it so.
  static let unordered: WordOperation.Perform = { iterations, body in
    guard iterations == 2 else { return forwards(iterations, body) }
    let meeting = RelaxedRendezvous()
    let isThere = Gate("the second block's thread")
    let all = DispatchGroup()
    all.enter()
    Thread.detachNewThread {
      isThere.open()
      meeting.look { body(1) }
      all.leave()
    }
    isThere.wait()
    all.enter()
    Thread.detachNewThread {
      body(0)
      meeting.changed()
      all.leave()
    }
    all.wait()
  }
}

/// The threads on which something happened.
final class ThreadSet: Sendable {
  private let lock = NSLock()
  // Held, so that none is taken for one that has ended. Safe: guarded by `lock`.
  private nonisolated(unsafe) var threads: Set<Thread> = []

  func note() { _ = lock.withLock { threads.insert(Thread.current) } }
  var count: Int { lock.withLock { threads.count } }
}

/// Asks an operation for its words, and whether it has finished, when somebody says so.
final class AskedWords: Sendable {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) weak var operation: WordOperation?
  private nonisolated(unsafe) var answer: [String]?  // Safe: as above.
  private nonisolated(unsafe) var end: Bool?  // Safe: as above.

  func `is`(_ operation: WordOperation) { lock.withLock { self.operation = operation } }

  func ask() {
    let operation = lock.withLock { self.operation }
    let (words, isFinished) = (operation?.words, operation?.isFinished)
    lock.withLock { (answer, end) = (words, isFinished) }
  }

  var words: [String]? { lock.withLock { answer } }
  var wasFinished: Bool? { lock.withLock { end } }
}

// MARK: - Moves

extension WordOperationTests {
  /// A block for each word, which shows on the timeline and takes no time.
  func blocks(_ words: String...) -> [@Sendable () -> String] {
    words.map { word in { [timeline] in timeline.visit(word) { word } } }
  }

  /// A block that stays until `gate` opens.
  func block(_ word: String, until gate: Gate) -> @Sendable () -> String {
    { [timeline] in
      timeline.visit(word, until: gate)
      return word
    }
  }

  /// An operation whose completion shows on the timeline, with the words that it brings.
  func operation(
    _ blocks: [@Sendable () -> String], perform: WordOperation.Perform? = nil
  ) -> WordOperation {
    let completion: @Sendable ([String]) -> Void = { [timeline] words in
      timeline.mark("completion", words.joined(separator: " "))
    }
    return if let perform {
      WordOperation(blocks, perform: perform, completion: completion)
    } else {
      WordOperation(blocks, completion: completion)
    }
  }

  /// What the completion was called with, each time.
  var completions: [String] {
    timeline.events.compactMap { event in
      if event.who == "completion", case .mark(let words) = event.kind { words } else { nil }
    }
  }

  /// Waits until the completion was called, and until nothing can follow it.
  @discardableResult
  func completes(
    _ operation: Operation, timersInPlay: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    defer { runUntilQuiet(sourceLocation: sourceLocation) }
    let leaves = eventually(
      timeline.showing(
        """
        The operation has begun and never finishes: main() must return when its blocks have.
        """),
      timersInPlay: timersInPlay, sourceLocation: sourceLocation
    ) { operation.isFinished }
    guard leaves else { return false }
    return eventually(
      timeline.showing(
        """
        The operation has left its queue, and the completion was never called. Set `completionBlock` \
        in init: the queue calls it when the operation has finished, or was cancelled.
        """),
      timersInPlay: timersInPlay, sourceLocation: sourceLocation
    ) { !completions.isEmpty }
  }
}
