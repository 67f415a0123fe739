// Page: make page KATA=SerialLog (Docs/ConcurrencyKatas.docc/SerialLog.md)

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
/// Your turn. A serial queue runs one block after another, in the order in which they were
/// submitted: `DispatchQueue(label: "my.log")`. Let `append` submit its work with `async`, which
/// returns at once, and let `entries` ask with `sync`, which waits for its turn.
public final class SerialLog: Sendable {
  // Safe: not yet! It will be, once it is touched on one serial queue only.
  private nonisolated(unsafe) var lines: [String] = []
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
    // TODO: On a serial queue, add format(message) to the lines.
  }

  /// The entries so far, in the order of appending.
  ///
  /// Blocks until everything that was appended before, by the same caller, is among them. What is
  /// appended later isn't waited for.
  public var entries: [String] {
    // TODO: Wait for the same queue, and answer with the lines.
    []
  }
}
