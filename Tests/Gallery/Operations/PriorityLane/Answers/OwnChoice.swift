import Dispatch
import Foundation

// A right answer without an operation queue for the jobs: a serial queue chooses and runs. For each
// job an operation in another queue, the bell, runs when all its dependencies have finished.

// Safe: guarded by `lock`.
public final class PriorityLane: @unchecked Sendable {
  private struct Job {
    let operation: Operation
    let priority: Operation.QueuePriority
    let dependencies: [Operation]

    var isReady: Bool { dependencies.allSatisfy(\.isFinished) }
  }

  private let lock = NSLock()
  private var waiting: [Job] = []
  private var isOpen = false
  private let runner: DispatchQueue
  private let bells = OperationQueue()

  public init(name: String) {
    runner = DispatchQueue(label: name)
  }

  public func open() {
    lock.withLock { isOpen = true }
    runner.async { self.runAll() }
  }

  @discardableResult
  public func add(
    priority: Int = 0, after dependencies: [Operation] = [], _ work: @escaping @Sendable () -> Void
  ) -> Operation {
    let job = BlockOperation(block: work)
    lock.withLock {
      waiting.append(
        Job(
          operation: job, priority: Self.queuePriority(for: priority), dependencies: dependencies))
    }
    let bell = BlockOperation { [self] in runner.async { self.runAll() } }
    for dependency in dependencies { bell.addDependency(dependency) }
    bells.addOperation(bell)
    return job
  }

  public static func queuePriority(for number: Int) -> Operation.QueuePriority {
    switch number {
    case ...(-8): .veryLow
    case ...(-4): .low
    case 8...: .veryHigh
    case 4...: .high
    default: .normal
    }
  }

  private func runAll() {
    while let job = next() { job.start() }
  }

  private func next() -> Operation? {
    lock.withLock {
      guard isOpen else { return nil }
      let ready = waiting.indices.filter { waiting[$0].isReady }
      // Of equals the first: `max` replaces its candidate only by a greater one.
      let choice = ready.max { waiting[$0].priority.rawValue < waiting[$1].priority.rawValue }
      return choice.map { waiting.remove(at: $0).operation }
    }
  }
}
