// Page: make page KATA=ExecutionOrder (Docs/ConcurrencyKatas.docc/ExecutionOrder.md)

/// Predictions of the order in which small programs print their letters.
///
/// Each program prints each of its letters once, in the same order on every machine. It runs as one
/// block on `own`, a serial queue. `other` and `third` are serial queues with nothing else to do.
///
/// - Each prediction lists its program's letters in the order in which the program prints them.
/// - Each prediction holds every letter of its program exactly once.
///
/// Your turn. Be the machine: read each program, and write down its letters in the order in which
/// they're printed, such as `["A", "B"]`. The spec runs the program and compares.
///
/// - `async` puts a block at the end of a queue's line and returns at once.
/// - `sync` puts a block at the end of the line too, and returns when the block has run.
/// - `suspend` keeps a queue from starting blocks until `resume`; blocks can still join its line.
/// - `async(group:)` counts its block as a member of the group until the block has returned.
/// - `enter` and `leave` add and remove a member of the group by hand.
/// - `wait` returns when the group has no members left.
/// - `notify` puts a block at the end of a queue's line when the group has no members left.
/// - `asyncAfter` puts a block at the end of a queue's line when its deadline has passed.
public enum ExecutionOrder {
  /// The order of a program that calls `async` on its own queue.
  ///
  /// ```swift
  /// print("A")
  /// own.async { print("B") }
  /// print("C")
  /// ```
  public static let asyncToOwnQueue: [String] = []  // TODO: The letters, in order.

  /// The order of a program that calls `async` on its own queue, then `sync` on another.
  ///
  /// ```swift
  /// print("A")
  /// own.async { print("B") }
  /// other.sync { print("C") }
  /// print("D")
  /// ```
  public static let syncToAnotherQueue: [String] = []  // TODO: The letters, in order.

  /// The order of a program whose blocks submit further blocks.
  ///
  /// ```swift
  /// own.async {
  ///   print("A")
  ///   own.async { print("B") }
  ///   print("C")
  /// }
  /// own.async { print("D") }
  /// print("E")
  /// ```
  public static let asyncWithinAsync: [String] = []  // TODO: The letters, in order.

  /// The order of a program that suspends a queue for a while.
  ///
  /// ```swift
  /// other.suspend()
  /// other.async { print("A") }
  /// print("B")
  /// other.resume()
  /// other.sync { print("C") }
  /// print("D")
  /// ```
  public static let suspendedQueue: [String] = []  // TODO: The letters, in order.

  /// The order of a program with a group whose blocks run on two queues.
  ///
  /// ```swift
  /// let group = DispatchGroup()
  /// other.suspend()
  /// other.async(group: group) { print("A") }
  /// third.async(group: group) {
  ///   print("B")
  ///   other.resume()
  /// }
  /// group.notify(queue: own) { print("C") }
  /// group.wait()
  /// print("D")
  /// ```
  public static let twoQueuesAndAGroup: [String] = []  // TODO: The letters, in order.

  /// The order of a program that calls `asyncAfter` with a deadline that is now.
  ///
  /// ```swift
  /// own.async { print("A") }
  /// own.asyncAfter(deadline: .now()) { print("B") }
  /// print("C")
  /// ```
  public static let asyncAfterToOwnQueue: [String] = []  // TODO: The letters, in order.

  /// The order of a program that calls `asyncAfter` on another queue, and waits for the block.
  ///
  /// ```swift
  /// let group = DispatchGroup()
  /// group.enter()
  /// own.async { print("A") }
  /// other.asyncAfter(deadline: .now() + 0.01) {
  ///   print("B")
  ///   group.leave()
  /// }
  /// group.wait()
  /// print("C")
  /// ```
  public static let asyncAfterToAnotherQueue: [String] = []  // TODO: The letters, in order.
}
