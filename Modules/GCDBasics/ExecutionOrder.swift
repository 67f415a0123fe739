/// Predictions of the order in which small programs print their letters.
///
/// Each program prints each of its letters once, in the same order on every machine. It runs as one
/// block on `own`, a serial queue. `other` and `third` are serial queues with nothing else to do.
///
/// - Each prediction lists its program's letters in the order in which the program prints them.
/// - Each prediction holds every letter of its program exactly once.
///
/// Two rules explain them all. A serial queue is busy with a block until the block ends, also while
/// the block waits; and it takes the next from the front of its line.
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
  /// `async` only puts B in line, and `own` is busy with the program until its last line.
  public static let asyncToOwnQueue = ["A", "C", "B"]

  /// The order of one that calls `async` on its own queue, then `sync` on another.
  ///
  /// ```swift
  /// print("A")
  /// own.async { print("B") }
  /// other.sync { print("C") }
  /// print("D")
  /// ```
  ///
  /// `sync` waits for `other`, which has nothing else to do; B waits for the end of the program.
  public static let syncToAnotherQueue = ["A", "C", "D", "B"]

  /// The order of one whose blocks put further blocks in line.
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
  /// First the program ends, then the line is worked off; B joins it behind D.
  public static let asyncWithinAsync = ["E", "A", "C", "D", "B"]

  /// The order of one that suspends a queue for a while.
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
  /// A suspended queue keeps its line; `sync` stands in that line too, behind A.
  public static let suspendedQueue = ["B", "A", "C", "D"]

  /// The order of one with two queues, and a group that tells when both are done.
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
  /// A waits for B's block to resume its queue, the program for both, and C for the program.
  public static let twoQueuesAndAGroup = ["B", "A", "D", "C"]

  /// The order of one that calls `asyncAfter` with a deadline that is now.
  ///
  /// ```swift
  /// own.async { print("A") }
  /// own.asyncAfter(deadline: .now()) { print("B") }
  /// print("C")
  /// ```
  ///
  /// A deadline says when a block gets in line at the earliest; nobody makes room for it.
  public static let asyncAfterToOwnQueue = ["C", "A", "B"]

  /// The order of one that calls `asyncAfter` on another queue, and waits for it.
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
  /// While the program waits, `own` is still its own: A waits longer than the timer.
  public static let asyncAfterToAnotherQueue = ["B", "C", "A"]
}
