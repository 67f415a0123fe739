// Page: make page KATA=SerialLog (Docs/ConcurrencyKatas.docc/SerialLog.md)

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
/// Your turn. `DispatchQueue(label: "my.log")` makes a serial queue, which runs its blocks one
/// after another, in the order of submission. So blocks on it have mutual exclusion: only one at a
/// time accesses `lines`. Let `append` submit its work with `async`, which returns at once. Let
/// `entries` use `sync`, which blocks until its block has run, and returns the block's result.
///
/// - Warning: `entries` waits for the log's queue. Read inside `format`, which runs on that
///   queue, it waits for itself: a deadlock.
public final class SerialLog: Sendable {
  // Safe: not yet! It will be when it's accessed only on one serial queue.
  private nonisolated(unsafe) var lines: [String] = []
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
    // TODO: On a serial queue, append format(message) to lines, without waiting.
  }

  /// The entries so far.
  ///
  /// - `entries` returns all entries so far, in the order of appending, and removes none.
  /// - `entries` blocks until every message whose `append` has returned before, on any thread, is
  ///   formatted and added.
  /// - `entries` doesn't wait for messages that are appended later.
  public var entries: [String] {
    // TODO: On the same queue, read lines, and wait for the result.
    []
  }
}
