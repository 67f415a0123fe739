import Foundation

// A right answer, though it cheats: it runs each program and records the flags.

public struct OperationFlags: OptionSet, Sendable {
  public static let ready = OperationFlags(rawValue: 1)
  public static let executing = OperationFlags(rawValue: 2)
  public static let finished = OperationFlags(rawValue: 4)
  public static let cancelled = OperationFlags(rawValue: 8)

  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }
}

public enum LifecycleLog {
  public typealias Life = [OperationFlags]

  public static let alone = rehearse { log, queue in
    let done = DispatchSemaphore(value: 0)
    log.job.completionBlock = {
      log.look()
      done.signal()
    }
    log.look()
    queue.isSuspended = true
    queue.addOperation(log.job)
    log.look()
    queue.isSuspended = false
    done.wait()
  }

  public static let behindAnother = rehearse { log, queue in
    let other = BlockOperation { log.look() }
    log.job.addDependency(other)
    log.look()
    queue.addOperations([log.job, other], waitUntilFinished: true)
    log.look()
  }

  public static let startedByHand = rehearse { log, _ in
    log.look()
    log.job.start()
    log.look()
  }

  public static let mainByHand = rehearse { log, _ in
    log.job.main()
    log.look()
  }

  public static let cancelledInLine = rehearse { log, queue in
    queue.isSuspended = true
    queue.addOperation(log.job)
    log.job.cancel()
    log.look()
    queue.isSuspended = false
    log.job.waitUntilFinished()
    log.look()
  }

  public static let cancelledBehindAnother = rehearse { log, queue in
    log.job.addDependency(BlockOperation {})
    queue.isSuspended = true
    queue.addOperation(log.job)
    log.look()
    log.job.cancel()
    log.look()
    queue.isSuspended = false
    log.job.waitUntilFinished()
    log.look()
  }

  public static let cancelledAtWork = rehearse { log, queue in
    log.job.addExecutionBlock {
      log.job.cancel()
      log.look()
    }
    queue.addOperation(log.job)
    log.job.waitUntilFinished()
    log.look()
  }

  public static let cancelledTooLate = rehearse { log, queue in
    queue.addOperation(log.job)
    log.job.waitUntilFinished()
    log.job.cancel()
    log.look()
  }

  public static let behindACancelledOne = rehearse { log, queue in
    let other = BlockOperation {}
    log.job.addDependency(other)
    queue.isSuspended = true
    queue.addOperations([other, log.job], waitUntilFinished: false)
    other.cancel()
    log.look()
    queue.isSuspended = false
    log.job.waitUntilFinished()
    log.look()
  }

  private static func rehearse(_ program: (RehearsalLog, OperationQueue) -> Void) -> Life {
    let log = RehearsalLog()
    log.job.addExecutionBlock { log.look() }
    let queue = OperationQueue()
    program(log, queue)
    return log.looks
  }
}

/// An operation, and its flags at each look.
private final class RehearsalLog: Sendable {
  let job = BlockOperation()
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var seen: [OperationFlags] = []

  var looks: [OperationFlags] { lock.withLock { seen } }

  func look() {
    var flags: OperationFlags = job.isReady ? .ready : []
    if job.isExecuting { flags.formUnion(.executing) }
    if job.isFinished { flags.formUnion(.finished) }
    if job.isCancelled { flags.formUnion(.cancelled) }
    lock.withLock { seen.append(flags) }
  }
}
