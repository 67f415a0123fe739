import Dispatch
import Foundation

/// A semaphore for each waiting thread, under the number of threads that waited before it.
public final class PatientWait: Sendable {
  public enum Outcome: Sendable {
    case finished
    case timedOut
  }

  public typealias Deadline = @Sendable (_ seconds: Double) -> DispatchTime

  private let deadline: Deadline
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var underWay = 0
  private nonisolated(unsafe) var sleepers: [Int: DispatchSemaphore] = [:]
  private let lock = NSLock()

  public init(deadline: @escaping Deadline = { .now() + $0 }) {
    self.deadline = deadline
  }

  public func run(on queue: DispatchQueue, _ job: @escaping @Sendable () -> Void) {
    lock.withLock { underWay += 1 }
    queue.async { [self] in
      job()
      lock.withLock {
        underWay -= 1
        guard underWay == 0 else { return }
        for sleeper in sleepers.values { sleeper.signal() }
        sleepers = [:]
      }
    }
  }

  public func wait(atMost seconds: Double) -> Outcome {
    precondition(seconds >= 0, "a wait of \(seconds) seconds would end before it begins")
    let end = deadline(seconds)
    let sleeper = DispatchSemaphore(value: 0)
    lock.lock()
    guard underWay > 0 else {
      lock.unlock()
      return .finished
    }
    let number = sleepers.count
    sleepers[number] = sleeper
    lock.unlock()
    if sleeper.wait(timeout: end) == .success { return .finished }
    lock.lock()
    defer { lock.unlock() }
    sleepers[number] = nil
    return underWay == 0 ? .finished : .timedOut
  }
}
