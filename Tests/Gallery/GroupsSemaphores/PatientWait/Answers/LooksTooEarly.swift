import Dispatch
import Foundation

/// A counter behind a condition variable, which a wait reads before it asks for its deadline.
public final class PatientWait: Sendable {
  public enum Outcome: Sendable {
    case finished
    case timedOut
  }

  public typealias Deadline = @Sendable (_ seconds: Double) -> DispatchTime

  private let deadline: Deadline
  private let tally = Tally()

  public init(deadline: @escaping Deadline = { .now() + $0 }) {
    self.deadline = deadline
  }

  public func run(on queue: DispatchQueue, _ job: @escaping @Sendable () -> Void) {
    tally.add()
    queue.async { [tally] in
      job()
      tally.remove()
    }
  }

  public func wait(atMost seconds: Double) -> Outcome {
    precondition(seconds >= 0, "a wait of \(seconds) seconds would end before it begins")
    let isZero = tally.isZero
    let end = deadline(seconds)
    return isZero || tally.sleepUntilZero(or: end) ? .finished : .timedOut
  }
}

private final class Tally: Sendable {
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var underWay = 0
  private let condition = NSCondition()

  func add() { condition.withLock { underWay += 1 } }

  func remove() {
    condition.withLock {
      underWay -= 1
      if underWay == 0 { condition.broadcast() }
    }
  }

  var isZero: Bool { condition.withLock { underWay == 0 } }

  func sleepUntilZero(or end: DispatchTime) -> Bool {
    condition.withLock {
      repeat {
        if end == .distantFuture {
          condition.wait()
        } else if !condition.wait(until: Self.date(of: end)) {
          return underWay == 0
        }
      } while underWay > 0
      return true
    }
  }

  private static func date(of time: DispatchTime) -> Date {
    let now = DispatchTime.now()
    guard time > now else { return .distantPast }
    return Date() + Double(time.uptimeNanoseconds - now.uptimeNanoseconds) / 1e9
  }
}
