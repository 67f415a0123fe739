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
        let all = DispatchGroup()
        for index in 0..<iterations {
          all.enter()
          Thread.detachNewThread {
            lent.call(index)
            all.leave()
          }
        }
        all.wait()
      }
    }
  }

  /// Runs two of them, the second when the first has ended and though nothing has told it so.
  static func unordered(_ iterations: Int, _ body: @Sendable (Int) -> Void) {
    guard iterations == 2 else { return Iterations.forwards.perform(iterations, body) }
    LentBody.lend(body) { lent in
      let meeting = RelaxedRendezvous()
      let isThere = Gate("the second iteration's thread")
      let all = DispatchGroup()
      all.enter()
      Thread.detachNewThread {
        isThere.open()
        meeting.look { lent.call(1) }
        all.leave()
      }
      isThere.wait()
      all.enter()
      Thread.detachNewThread {
        lent.call(0)
        meeting.changed()
        all.leave()
      }
      all.wait()
    }
  }
}

/// A closure that other threads may call as long as it's lent to them.
private final class LentBody: Sendable, OpaqueMirror {
  // Safe: changed before the threads start and when all have ended.
  private nonisolated(unsafe) var body: (@Sendable (Int) -> Void)?

  static func lend(_ body: @Sendable (Int) -> Void, _ use: (LentBody) -> Void) {
    withoutActuallyEscaping(body) { body in
      let lent = LentBody()
      lent.body = body
      use(lent)
      // A thread may let go of this object late; the closure has to be back by now.
      lent.body = nil
    }
  }

  func call(_ index: Int) { body?(index) }
}

/// How often each element was transformed, how many are being transformed, and how many were at most.
final class Tally: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var calls: [Int: Int] = [:]
  private nonisolated(unsafe) var inside = 0  // Safe: as above.
  private nonisolated(unsafe) var largest = 0  // Safe: as above.
  private let lock = NSLock()

  /// How often each element was transformed.
  var callsByElement: [Int: Int] { lock.withLock { calls } }

  /// The largest number of elements that were being transformed at once.
  var largestNumberInside: Int { lock.withLock { largest } }

  /// An element is being transformed from now on; returns how many are.
  @discardableResult
  func enter(_ element: Int) -> Int {
    lock.withLock {
      calls[element, default: 0] += 1
      inside += 1
      largest = max(largest, inside)
      return inside
    }
  }

  func leave() { lock.withLock { inside -= 1 } }
}

/// Which iteration runs, where they run one after another.
final class CurrentIteration: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var current: Int?
  private let lock = NSLock()

  /// The index of the iteration; nil where none runs.
  var index: Int? {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }
}

/// A result that says when it goes.
final class Photo: Sendable, OpaqueMirror {
  private let gone: Counter

  init(gone: Counter) {
    self.gone = gone
  }

  deinit { gone.increment() }
}

/// What is wrong with an element.
struct Spoiled: Error, Equatable {
  let element: Int
}
