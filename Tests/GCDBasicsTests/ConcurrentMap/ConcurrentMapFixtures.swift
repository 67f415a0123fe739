import Dispatch
import Foundation
import KataTesting

/// Ways to run iterations that don't depend on how many cores there are.
enum Iterations: CaseIterable, Sendable {
  case forwards, backwards, together

  /// Runs them on this thread, or each on a thread of its own.
  func perform(_ iterations: Int, _ body: @Sendable (Int) -> Void) {
    switch self {
    case .forwards: for index in 0..<iterations { body(index) }
    case .backwards: for index in (0..<iterations).reversed() { body(index) }
    case .together:
      LentBody.lend(body) { lent in
        Self.onThreads((0..<iterations).map { index in { lent.call(index) } })
      }
    }
  }

  /// Runs two iterations, the second after the first, without a happens-before between them.
  static func unordered(_ iterations: Int, _ body: @Sendable (Int) -> Void) {
    guard iterations == 2 else { return Iterations.forwards.perform(iterations, body) }
    LentBody.lend(body) { lent in
      let meeting = RelaxedRendezvous()
      let isThere = Gate("the second iteration's thread")
      onThreads([
        {
          isThere.wait()
          lent.call(0)
          meeting.changed()
        },
        {
          isThere.open()
          meeting.look { lent.call(1) }
        },
      ])
    }
  }

  /// Runs each body on a thread of its own, and returns when all have returned.
  private static func onThreads(_ bodies: [@Sendable () -> Void]) {
    let all = DispatchGroup()
    for body in bodies {
      all.enter()
      Thread.detachNewThread {
        body()
        all.leave()
      }
    }
    all.wait()
  }
}

/// A closure that other threads may call as long as it's lent to them.
private final class LentBody: Sendable, OpaqueMirror {
  // Safe: changed before the threads start and after all have called it.
  private nonisolated(unsafe) var body: (@Sendable (Int) -> Void)?

  static func lend(_ body: @Sendable (Int) -> Void, _ use: (LentBody) -> Void) {
    withoutActuallyEscaping(body) { body in
      let lent = LentBody()
      lent.body = body
      use(lent)
      // A thread may release this object late, but the closure mustn't outlive this call.
      lent.body = nil
    }
  }

  func call(_ index: Int) { body?(index) }
}

/// How often each element was transformed, how many transforms are running, and the most at once.
struct Tally {
  private(set) var calls: [Int: Int] = [:]
  private(set) var inside = 0
  private(set) var largest = 0

  /// Notes that a transform of the element begins; returns how many are running.
  mutating func enter(_ element: Int) -> Int {
    calls[element, default: 0] += 1
    inside += 1
    largest = max(largest, inside)
    return inside
  }

  mutating func leave() { inside -= 1 }
}

/// The error of an element's transform.
struct Spoiled: Error, Equatable {
  let element: Int
}
