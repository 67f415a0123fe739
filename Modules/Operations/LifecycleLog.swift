/// What's true of an operation at one moment: its four flags.
///
/// - Each flag has a bit of its own: 1, 2, 4 and 8.
public struct OperationFlags: OptionSet, Sendable {
  /// Nothing stands in its way: `isReady`.
  public static let ready = OperationFlags(rawValue: 1)
  /// It has begun, and hasn't ended: `isExecuting`.
  public static let executing = OperationFlags(rawValue: 2)
  /// It has ended: `isFinished`.
  public static let finished = OperationFlags(rawValue: 4)
  /// It was asked to stop: `isCancelled`.
  public static let cancelled = OperationFlags(rawValue: 8)

  /// The flags as bits.
  public let rawValue: Int

  /// Creates a set of flags from its bits.
  ///
  /// - A set keeps all the bits that it is created from.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }
}

/// The flags of an operation through nine short lives.
///
/// Each life is a small program. `look()` notes which of the four flags of `job` are true at that
/// moment. `queue` is an operation queue with nothing else to do. So a life is a list of sets:
/// `[[.ready], [.ready, .executing]]`.
///
/// - A life has one set for each look, in the order of time, even if the set is empty.
/// - A `look()` in a block counts when the block is called, and doesn't count if it never is.
/// - A set has `ready` if, and only if, `isReady` is true at that look: nothing stands in the way
///   of `job`.
/// - A set has `executing` if, and only if, `isExecuting` is true at that look: `job` has begun,
///   and hasn't ended.
/// - A set has `finished` if, and only if, `isFinished` is true at that look: `job` has ended.
/// - A set has `cancelled` if, and only if, `isCancelled` is true at that look: `job` was asked to
///   stop.
///
/// Three rules explain them all. Ready says that nothing stands in the way, and goes on saying so.
/// Executing and finished are `start()`'s affair, each in its time. Cancelled is a message, which makes
/// nobody finish: whoever was cancelled leaves like everybody else, only without having worked.
///
/// Source: Foundation itself, and `isReady`, `isExecuting`, `isFinished`, `isCancelled` in Apple's
/// documentation of `Operation`.
public enum LifecycleLog {
  /// What a life looks like: the flags at each look.
  public typealias Life = [OperationFlags]

  /// An operation by itself, from its making to its completion block.
  ///
  /// ```swift
  /// let job = BlockOperation { look() }
  /// job.completionBlock = { look() }
  /// look()
  /// queue.isSuspended = true
  /// queue.addOperation(job)
  /// look()
  /// queue.isSuspended = false
  /// ```
  ///
  /// Nothing stands in its way from the start, and nothing ever does: ready stays, whatever comes.
  /// In line it's no more than that. By the time of the completion block it has finished.
  public static let alone: Life = [
    [.ready], [.ready], [.ready, .executing], [.ready, .finished],
  ]

  /// An operation that depends on another one.
  ///
  /// ```swift
  /// let other = BlockOperation { look() }
  /// let job = BlockOperation { look() }
  /// job.addDependency(other)
  /// look()
  /// queue.addOperations([job, other], waitUntilFinished: true)
  /// look()
  /// ```
  ///
  /// Until the other has finished nothing is true of it, not even while the other is at work.
  public static let behindAnother: Life = [
    [], [], [.ready, .executing], [.ready, .finished],
  ]

  /// An operation that is started without a queue.
  ///
  /// ```swift
  /// let job = BlockOperation { look() }
  /// look()
  /// job.start()
  /// look()
  /// ```
  ///
  /// `start()` sees to the flags, not the queue.
  public static let startedByHand: Life = [
    [.ready], [.ready, .executing], [.ready, .finished],
  ]

  /// An operation whose `main()` is called in place of `start()`.
  ///
  /// ```swift
  /// let job = BlockOperation { look() }
  /// job.main()
  /// look()
  /// ```
  ///
  /// `main()` is the work and nothing else. The operation hasn't begun, and hasn't finished.
  public static let mainByHand: Life = [
    [.ready], [.ready],
  ]

  /// An operation that is cancelled before its queue has started it.
  ///
  /// ```swift
  /// let job = BlockOperation { look() }
  /// queue.isSuspended = true
  /// queue.addOperation(job)
  /// job.cancel()
  /// look()
  /// queue.isSuspended = false
  /// job.waitUntilFinished()
  /// look()
  /// ```
  ///
  /// It's still in line, and hasn't finished: it leaves by being started. Its block is never
  /// called.
  public static let cancelledInLine: Life = [
    [.ready, .cancelled], [.ready, .finished, .cancelled],
  ]

  /// An operation that is cancelled while it waits for another one, which is never started.
  ///
  /// ```swift
  /// let other = BlockOperation {}
  /// let job = BlockOperation { look() }
  /// job.addDependency(other)
  /// queue.isSuspended = true
  /// queue.addOperation(job)
  /// look()
  /// job.cancel()
  /// look()
  /// queue.isSuspended = false
  /// job.waitUntilFinished()
  /// look()
  /// ```
  ///
  /// Whoever is cancelled waits for nobody: it is ready at once, to be started and to leave.
  public static let cancelledBehindAnother: Life = [
    [], [.ready, .cancelled], [.ready, .finished, .cancelled],
  ]

  /// An operation that is cancelled while it works.
  ///
  /// ```swift
  /// let job = BlockOperation {
  ///   look()
  ///   job.cancel()
  ///   look()
  /// }
  /// queue.addOperation(job)
  /// job.waitUntilFinished()
  /// look()
  /// ```
  ///
  /// Cancelling is a message. It works on until it's done, and has finished then like any other.
  public static let cancelledAtWork: Life = [
    [.ready, .executing], [.ready, .executing, .cancelled], [.ready, .finished, .cancelled],
  ]

  /// An operation that is cancelled when it has finished.
  ///
  /// ```swift
  /// let job = BlockOperation { look() }
  /// queue.addOperation(job)
  /// job.waitUntilFinished()
  /// job.cancel()
  /// look()
  /// ```
  ///
  /// The message comes too late, and isn't even noted.
  public static let cancelledTooLate: Life = [
    [.ready, .executing], [.ready, .finished],
  ]

  /// An operation that depends on one that is cancelled.
  ///
  /// ```swift
  /// let other = BlockOperation {}
  /// let job = BlockOperation { look() }
  /// job.addDependency(other)
  /// queue.isSuspended = true
  /// queue.addOperations([other, job], waitUntilFinished: false)
  /// other.cancel()
  /// look()
  /// queue.isSuspended = false
  /// job.waitUntilFinished()
  /// look()
  /// ```
  ///
  /// The other has to leave its line first. Then it counts as finished, as far as anybody is
  /// concerned, and `job` runs: nothing was said to it.
  public static let behindACancelledOne: Life = [
    [], [.ready, .executing], [.ready, .finished],
  ]
}
