import Dispatch
import Foundation
import KataTesting
import Testing

/// Ways to run an operation's blocks that don't depend on the number of cores.
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

  /// How many of two iterations concurrentPerform runs at once: one, if it has only one core.
  static var iterationsAtOnce: Int {
    let inside = SharedCounter()
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

  /// Two, the second after the first has returned, without any synchronization between them.
  ///
  /// Not with `meet`, whose calling thread polls: then the sanitizer sometimes misses the race.
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

// MARK: - Moves

extension WordOperationTests {
  /// A block for each word, which shows on the timeline and takes no time.
  func blocks(_ words: String...) -> [@Sendable () -> String] {
    words.map { block($0) }
  }

  /// A block that waits until `gate` opens, if there is one.
  func block(_ word: String, until gate: Gate? = nil) -> @Sendable () -> String {
    { [timeline] in
      timeline.visit(word) { gate?.wait() }
      return word
    }
  }

  /// An operation whose completion shows on the timeline, with the words that it receives.
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

  /// What `ask` returns when the completion of an operation of one block, "many", calls it.
  func whenCompleted<Answer: Sendable>(
    _ ask: @escaping @Sendable (WordOperation) -> Answer
  ) -> LockedValue<Answer?> {
    let (asked, answer) = (LockedValue<WordOperation?>(nil), LockedValue<Answer?>(nil))
    let operation = WordOperation([{ "many" }]) { _ in
      answer.set(asked.value.map(ask))
      asked.set(nil)
    }
    asked.set(operation)
    queue.addOperation(operation)
    return answer
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
        "The operation has begun and never finished. main() must return when all blocks have."),
      timersInPlay: timersInPlay, sourceLocation: sourceLocation
    ) { operation.isFinished }
    guard leaves else { return false }
    return eventually(
      timeline.showing(
        """
        The operation has finished, and `completion` was never called. Set `completionBlock` in \
        init: it is called after the operation has finished, even if it was cancelled.
        """),
      timersInPlay: timersInPlay, sourceLocation: sourceLocation
    ) { !completions.isEmpty }
  }
}
