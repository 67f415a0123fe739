import Dispatch
import Foundation

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
    return tally.waitForZero(until: deadline(seconds)) ? .finished : .timedOut
  }
}

private final class Tally: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var underWay = 0
  private nonisolated(unsafe) var sleepers = 0
  private let lock = NSLock()
  private let wakeup = DispatchSemaphore(value: 0)

  func add() { lock.withLock { underWay += 1 } }

  func remove() {
    let woken = lock.withLock {
      underWay -= 1
      guard underWay == 0 else { return 0 }
      defer { sleepers = 0 }
      return sleepers
    }
    for _ in 0..<woken { wakeup.signal() }
  }

  func waitForZero(until end: DispatchTime) -> Bool {
    let sleeps = lock.withLock {
      if underWay > 0 { sleepers += 1 }
      return underWay > 0
    }
    guard sleeps, wakeup.wait(timeout: end) == .timedOut else { return true }
    return lock.withLock {
      // A signal that came since then stays there, for any later wait.
      sleepers = max(0, sleepers - 1)
      return underWay == 0
    }
  }
}
