import Foundation
import KataTesting

/// The queue in which a program runs, and the flags at each look.
///
/// Each run has a new one.
struct LifeStage: Sendable {
  let queue = OperationQueue()
  private let job = LockedValue<Operation?>(nil)
  private let seen = LockedValue<[OperationFlags]>([])

  /// Sets the operation whose flags `look()` records.
  func watch(_ job: Operation) { self.job.set(job) }

  /// Records the flags of the operation.
  func look() {
    guard let job = job.value else { return }
    var flags: OperationFlags = []
    if job.isReady { flags.insert(.ready) }
    if job.isExecuting { flags.insert(.executing) }
    if job.isFinished { flags.insert(.finished) }
    if job.isCancelled { flags.insert(.cancelled) }
    seen.append(flags)
  }

  /// The flags at each look so far.
  var looks: [OperationFlags] { seen.value }

  /// Releases the operation, which retains this stage: a retain cycle.
  func clear() { job.set(nil) }
}

// MARK: - The programs

// Word for word as in the documentation of `LifecycleLog`, except `watch`. The order of the looks
// is certain: if two threads take part, one of them waits for the other.

extension LifeStage {
  func alone() {
    let job = BlockOperation { look() }
    watch(job)
    job.completionBlock = { look() }
    look()
    queue.isSuspended = true
    queue.addOperation(job)
    look()
    queue.isSuspended = false
  }

  func behindAnother() {
    let other = BlockOperation { look() }
    let job = BlockOperation { look() }
    watch(job)
    job.addDependency(other)
    look()
    queue.addOperations([job, other], waitUntilFinished: true)
    look()
  }

  func startedByHand() {
    let job = BlockOperation { look() }
    watch(job)
    look()
    job.start()
    look()
  }

  func mainByHand() {
    let job = BlockOperation { look() }
    watch(job)
    job.main()
    look()
  }

  func cancelledInLine() {
    let job = BlockOperation { look() }
    watch(job)
    queue.isSuspended = true
    queue.addOperation(job)
    job.cancel()
    look()
    queue.isSuspended = false
    job.waitUntilFinished()
    look()
  }

  func cancelledBehindAnother() {
    let other = BlockOperation {}
    let job = BlockOperation { look() }
    watch(job)
    job.addDependency(other)
    queue.isSuspended = true
    queue.addOperation(job)
    look()
    job.cancel()
    look()
    queue.isSuspended = false
    job.waitUntilFinished()
    look()
  }

  func cancelledAtWork() {
    let job = BlockOperation()
    watch(job)
    job.addExecutionBlock { [weak job] in
      look()
      job?.cancel()
      look()
    }
    queue.addOperation(job)
    job.waitUntilFinished()
    look()
  }

  func cancelledTooLate() {
    let job = BlockOperation { look() }
    watch(job)
    queue.addOperation(job)
    job.waitUntilFinished()
    job.cancel()
    look()
  }

  func behindACancelledOne() {
    let other = BlockOperation {}
    let job = BlockOperation { look() }
    watch(job)
    job.addDependency(other)
    queue.isSuspended = true
    queue.addOperations([other, job], waitUntilFinished: false)
    other.cancel()
    look()
    queue.isSuspended = false
    job.waitUntilFinished()
    look()
  }
}
