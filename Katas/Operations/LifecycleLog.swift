// Page: make page KATA=LifecycleLog (Docs/ConcurrencyKatas.docc/LifecycleLog.md)

/// The four flags of an operation at one moment.
///
/// - Each flag has a bit of its own: 1, 2, 4 and 8.
public struct OperationFlags: OptionSet, Sendable {
  /// No dependency prevents its start: `isReady`.
  public static let ready = OperationFlags(rawValue: 1)
  /// It has started and hasn't finished: `isExecuting`.
  public static let executing = OperationFlags(rawValue: 2)
  /// It has finished: `isFinished`.
  public static let finished = OperationFlags(rawValue: 4)
  /// It was cancelled: `isCancelled`.
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
/// Each life is a small program. `look()` records which of the four flags of `job` are true at that
/// moment. `queue` is an operation queue that has only the operations of the program. So a life is
/// a list of sets: `[[.ready], [.ready, .executing]]`.
///
/// - A life has one set for each look, in the order of time, even if the set is empty.
/// - A `look()` in a block adds its set when the block is called, and adds none if the block never
///   is.
/// - A set has `ready` if, and only if, `isReady` is true at that look: no dependency prevents a
///   start of `job`.
/// - A set has `executing` if, and only if, `isExecuting` is true at that look: `job` has started
///   and hasn't finished.
/// - A set has `finished` if, and only if, `isFinished` is true at that look: `job` has finished.
/// - A set has `cancelled` if, and only if, `isCancelled` is true at that look: `job` was cancelled
///   before it had finished.
///
/// Your turn. Be Foundation: read each program, and write down the flags at each look. Then the
/// program runs, and the flags that it sees are compared with yours. Several of the four flags may
/// be true at once, or none.
///
/// - `isReady`: no dependency prevents a start.
/// - `isExecuting`: it has started and hasn't finished.
/// - `isFinished`: it has finished, whether or not its block was called; its dependents may start.
/// - `isCancelled`: `cancel()` was called before it had finished.
///
/// Source: Foundation itself, and `isReady`, `isExecuting`, `isFinished`, `isCancelled` in Apple's
/// documentation of `Operation`.
public enum LifecycleLog {
  /// The flags at each look of a life.
  public typealias Life = [OperationFlags]

  /// An operation by itself, from its creation to its completion block.
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
  public static let alone: Life = []  // TODO: The flags, in order.

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
  public static let behindAnother: Life = []  // TODO: The flags, in order.

  /// An operation that is started without a queue.
  ///
  /// ```swift
  /// let job = BlockOperation { look() }
  /// look()
  /// job.start()
  /// look()
  /// ```
  public static let startedByHand: Life = []  // TODO: The flags, in order.

  /// An operation whose `main()` is called in place of `start()`.
  ///
  /// ```swift
  /// let job = BlockOperation { look() }
  /// job.main()
  /// look()
  /// ```
  public static let mainByHand: Life = []  // TODO: The flags, in order.

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
  public static let cancelledInLine: Life = []  // TODO: The flags, in order.

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
  public static let cancelledBehindAnother: Life = []  // TODO: The flags, in order.

  /// An operation that is cancelled while it works.
  ///
  /// ```swift
  /// let job = BlockOperation()
  /// job.addExecutionBlock {
  ///   look()
  ///   job.cancel()
  ///   look()
  /// }
  /// queue.addOperation(job)
  /// job.waitUntilFinished()
  /// look()
  /// ```
  public static let cancelledAtWork: Life = []  // TODO: The flags, in order.

  /// An operation that is cancelled when it has finished.
  ///
  /// ```swift
  /// let job = BlockOperation { look() }
  /// queue.addOperation(job)
  /// job.waitUntilFinished()
  /// job.cancel()
  /// look()
  /// ```
  public static let cancelledTooLate: Life = []  // TODO: The flags, in order.

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
  public static let behindACancelledOne: Life = []  // TODO: The flags, in order.
}
