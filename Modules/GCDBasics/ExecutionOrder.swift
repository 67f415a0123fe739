/// Predictions of the order in which small programs print their letters.
///
/// Each program prints each of its letters once, in the same order on every machine. It runs as one
/// block on `own`, a serial queue. `other` and `third` are serial queues with nothing else to do.
///
/// - Each prediction lists its program's letters in the order in which the program prints them.
/// - Each prediction holds every letter of its program exactly once.
///
/// Two rules explain them all. A serial queue is busy with a block until the block returns, even
/// while the block waits; then it takes the next block from the front of its line.
///
/// Source: serial queues as described in Apple's *Concurrency Programming Guide*.
public enum ExecutionOrder {
  /// The order of a program that calls `async` on its own queue.
  ///
  /// ```swift
  /// print("A")
  /// own.async { print("B") }
  /// print("C")
  /// ```
  ///
  /// `async` only submits B, and `own` is busy with the program until its last line.
  public static let asyncToOwnQueue = ["A", "C", "B"]

  /// The order of a program that calls `async` on its own queue, then `sync` on another.
  ///
  /// ```swift
  /// print("A")
  /// own.async { print("B") }
  /// other.sync { print("C") }
  /// print("D")
  /// ```
  ///
  /// `sync` waits for `other`, which has nothing else to do. B waits for the end of the program.
  public static let syncToAnotherQueue = ["A", "C", "D", "B"]

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
  ///
  /// `own` starts the next block when the program has ended. B joins the line behind D.
  public static let asyncWithinAsync = ["E", "A", "C", "D", "B"]

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
  ///
  /// A suspended queue keeps its line. The block of `sync` is in that line too, behind A.
  public static let suspendedQueue = ["B", "A", "C", "D"]

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
  ///
  /// A waits until B's block resumes its queue, the program waits for both, and C waits for the
  /// program.
  public static let twoQueuesAndAGroup = ["B", "A", "D", "C"]

  /// The order of a program that calls `asyncAfter` with a deadline that is now.
  ///
  /// ```swift
  /// own.async { print("A") }
  /// own.asyncAfter(deadline: .now()) { print("B") }
  /// print("C")
  /// ```
  ///
  /// A deadline is the earliest time at which a block joins the line, behind the blocks in it.
  public static let asyncAfterToOwnQueue = ["C", "A", "B"]

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
  ///
  /// `own` is busy with the program even while the program waits, so A runs after the timer's
  /// block.
  public static let asyncAfterToAnotherQueue = ["B", "C", "A"]
}
