import Foundation
import KataTesting
import Testing

extension CancelAllTests {
  // MARK: - Every schedule

  @Test func `in every schedule a call cancels all that it finds, and its notice comes`() {
    let add = ["first", "second"].map { label in
      ModelledCall<CrowdedQueue, CrowdedQueueModel>("add(\(label))") {
        $0.add(label)
      } model: {
        $0.waiting.append(label)
      }.onlyOnce
    }
    let cancelAll = ModelledCall<CrowdedQueue, CrowdedQueueModel>("cancelAll") {
      $0.cancelAll()
    } model: {
      $0.cancelAll()
    }
    let subject = ModelledSubject(
      model: CrowdedQueueModel(), { CrowdedQueue() }, end: { $0.summary },
      modelEnd: { $0.summary }, tearDown: { $0.tearDown() })
    explore(CallList(subject, calls: add + [cancelAll]))
  }

  // The second call is made on a thread of its own, since it doesn't return within the run.
  @Test func `in every schedule no waiting operation begins while calls overlap`() {
    typealias Call = ModelledCall<StandingQueue, Void>
    let cancelAll = Call("cancelAll") { $0.cancelAll() }
    let addAndCancel = Call("add(first, second), begin another cancelAll") { $0.addAndCancel() }
    let subject = ModelledSubject(
      { StandingQueue() }, check: { $0.complaint }, tearDown: { $0.tearDown() })
    explore([
      Scenario(subject, threads: [[cancelAll], [addAndCancel]]),
      Scenario(subject, threads: [[cancelAll], [cancelAll, addAndCancel]]),
    ])
  }
}

// MARK: - Operations that wait for a dependency

/// A queue, suspended at first, whose operations leave only if they are cancelled.
private final class CrowdedQueue: Sendable, OpaqueMirror {
  private let queue = OperationQueue()
  private let notices = DispatchQueue(label: "katas.spec.cancel-all.crowd")
  private let told = SharedCounter()
  private let dependency = BlockOperation {}
  private let added = LockedValue<[Operation]>([])

  init() { queue.isSuspended = true }

  func add(_ label: String) {
    let operation = BlockOperation {}
    operation.name = label
    operation.addDependency(dependency)
    queue.addOperation(operation)
    added.append(operation)
  }

  /// Says whether everything that had been added is cancelled.
  func cancelAll() -> String {
    let found = added.value
    queue.cancelAll(noticeQueue: notices) { [told] in told.increment() }
    return found.allSatisfy(\.isCancelled) ? "cancelled" : "not all cancelled"
  }

  var summary: String {
    let operations = added.value.sorted { $0.name ?? "" < $1.name ?? "" }
    return CrowdedQueueModel.summary(
      waiting: operations.filter { !$0.isCancelled && !$0.isFinished }.map { $0.name ?? "" },
      left: operations.filter { $0.isCancelled && $0.isFinished }.map { $0.name ?? "" },
      notices: told.value, isSuspended: queue.isSuspended)
  }

  func tearDown() {
    dependency.start()
    queue.isSuspended = false
  }
}

private struct CrowdedQueueModel: Sendable {
  var waiting: [String] = []
  private var left: [String] = []
  private var notices = 0

  mutating func cancelAll() -> String {
    left += waiting
    waiting = []
    notices += 1
    return "cancelled"
  }

  var summary: String {
    Self.summary(
      waiting: waiting.sorted(), left: left.sorted(), notices: notices, isSuspended: notices == 0)
  }

  static func summary(
    waiting: [String], left: [String], notices: Int, isSuspended: Bool
  ) -> String {
    """
    waiting \(waiting), cancelled and gone \(left), onEmpty called \(times(notices)), \
    \(isSuspended ? "suspended" : "not suspended")
    """
  }
}

// MARK: - A call that stands still

/// A queue with room for one operation, which runs until another is cancelled.
///
/// The second call cancels one of two operations, which ends the running one, and stands still.
private final class StandingQueue: Sendable, OpaqueMirror {
  // Safe: never changed after it is made.
  private final class WaitingJob: Operation, @unchecked Sendable {
    private let begun: SharedCounter
    private let afterCancel: @Sendable () -> Void

    init(_ begun: SharedCounter, afterCancel: @escaping @Sendable () -> Void) {
      (self.begun, self.afterCancel) = (begun, afterCancel)
      super.init()
    }

    override func main() { begun.increment() }

    override func cancel() {
      super.cancel()
      afterCancel()
    }
  }

  private let queue = OperationQueue()
  private let notices = DispatchQueue(label: "katas.spec.cancel-all.stands")
  private let begun = SharedCounter()
  private let endOfRunning = DispatchSemaphore(value: 0)
  private let caller = ThreadMark()
  private let cancellations = SharedCounter()
  private let goOn = DispatchSemaphore(value: 0)
  private let returned = DispatchSemaphore(value: 0)

  init() {
    let isRunning = DispatchSemaphore(value: 0)
    queue.maxConcurrentOperationCount = 1
    queue.addOperation { [endOfRunning] in
      isRunning.signal()
      endOfRunning.wait()
    }
    isRunning.wait()
  }

  func cancelAll() { queue.cancelAll(noticeQueue: notices) {} }

  func addAndCancel() {
    for _ in 1...2 {
      queue.addOperation(
        WaitingJob(begun) { [caller, cancellations, endOfRunning, goOn] in
          guard caller.isCurrent, cancellations.increment() == 1 else { return }
          endOfRunning.signal()
          goOn.wait()
        })
    }
    _ = TestThread("another cancelAll") { [self] in
      caller.note()
      cancelAll()
      returned.signal()
    }
  }

  var complaint: String? {
    begun.value == 0
      ? nil
      : """
      While the second call was cancelling, the running operation ended, and another began that \
      had been waiting.
      """
  }

  func tearDown() {
    goOn.signal()
    endOfRunning.signal()
    // With a timeout, for a wrong one may never return; nothing is concluded from it.
    _ = returned.wait(timeout: .now() + 1)
  }
}
