import Dispatch

/// A log that any thread may write to, and that is kept in order.
///
/// - `append` returns at once, however slow the formatting is, and however much waits for it.
/// - Each message becomes an entry, whatever it says, whether anybody asks for the entries or not, and
///   whether anybody keeps the log or not.
/// - Messages are formatted one at a time, away from the caller, in the order of appending.
/// - `entries` waits until everything that its own caller has appended is in, and for nothing that is
///   appended later.
/// - No log waits for another.
///
/// ```swift
/// let log = SerialLog { "\(Date.now): \($0)" }
/// log.append("launched")
/// log.entries  // one entry
/// ```
///
/// Safe to use from every thread.
///
/// - Warning: ``entries`` waits for the log's queue. Asked for inside `format` it waits for itself,
///   which is a deadlock.
///
/// Source: serial queues as described in Apple's *Concurrency Programming Guide*.
public final class SerialLog: Sendable {
  // Safe: touched on `queue` only.
  private nonisolated(unsafe) var lines: [String] = []
  private let queue = DispatchQueue(label: "katas.gcd-basics.serial-log")
  private let format: @Sendable (String) -> String

  /// Creates an empty log.
  ///
  /// - Parameter format: Makes an entry of a message. Called once for each message, away from all
  ///   callers, one message at a time, in the order of the entries.
  public init(format: @escaping @Sendable (String) -> String = { $0 }) {
    self.format = format
  }

  /// Appends a message.
  ///
  /// Returns at once; the message is formatted and added later, in its turn.
  public func append(_ message: String) {
    queue.async { [self] in lines.append(format(message)) }
  }

  /// The entries so far, in the order of appending.
  ///
  /// Blocks until everything that was appended before, by the same caller, is among them. What is
  /// appended later isn't waited for.
  public var entries: [String] { queue.sync { lines } }
}
