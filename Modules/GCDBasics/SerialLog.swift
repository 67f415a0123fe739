import Dispatch

/// A log that many threads write to, and that is kept in order.
///
/// - Each message becomes one entry, even if it is empty, has several lines, or equals another.
/// - `format` is called once for each message, and what it returns is the entry.
/// - Messages are formatted one at a time, in the order of appending.
/// - Neither `append` nor `entries` calls `format` itself.
/// - A message is formatted even if `entries` is never read.
/// - A message is formatted even if the log is released while the message waits.
/// - `format` may call `append`; that message is formatted afterwards, in its turn.
/// - Any number of threads may append and read at the same time, without a data race, and no
///   message is lost.
/// - Logs are independent: no caller of one waits for another log, unless `format` reads that one.
///
/// ```swift
/// let log = SerialLog { "\(Date.now): \($0)" }
/// log.append("launched")
/// log.entries  // one entry
/// ```
///
/// Safe to use from every thread.
///
/// - Warning: ``entries`` waits for the log's queue. Read inside `format`, which runs on that
///   queue, it waits for itself: a deadlock.
///
/// Source: serial queues as described in Apple's *Concurrency Programming Guide*.
public final class SerialLog: Sendable {
  // Safe: accessed on `queue` only.
  private nonisolated(unsafe) var lines: [String] = []
  private let queue = DispatchQueue(label: "katas.gcd-basics.serial-log")
  private let format: @Sendable (String) -> String

  /// Creates an empty log.
  ///
  /// - A new log has no entries.
  ///
  /// - Parameter format: Makes an entry of a message.
  public init(format: @escaping @Sendable (String) -> String = { $0 }) {
    self.format = format
  }

  /// Appends a message.
  ///
  /// - `append` returns without waiting, however slow the formatting is and however many messages
  ///   wait for it.
  public func append(_ message: String) {
    queue.async { [self] in lines.append(format(message)) }
  }

  /// The entries so far.
  ///
  /// - `entries` returns all entries so far, in the order of appending, and removes none.
  /// - `entries` blocks until every message whose `append` has returned before, on any thread, is
  ///   formatted and added.
  /// - `entries` doesn't wait for messages that are appended later.
  public var entries: [String] { queue.sync { lines } }
}
