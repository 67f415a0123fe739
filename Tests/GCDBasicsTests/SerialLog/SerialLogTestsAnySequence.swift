import KataTesting
import Testing

extension SerialLogTests {
  @Test func `in any sequence of calls each message is an entry, in order`() {
    let logCalls = CallList(NumberedLog.subject, calls: [append("a"), append(""), entries])
    exploreSequences(of: logCalls, lengths: [1, 2, 3, 9, 17, 65, 257])
  }

  private func append(_ message: String) -> ModelledCall<NumberedLog, [String]> {
    ModelledCall("append(\"\(message)\")") {
      $0.log.append(message)
    } model: { entries in
      entries.append("\(entries.count + 1): \(message)")
    }
  }

  private var entries: ModelledCall<NumberedLog, [String]> {
    ModelledCall("entries") {
      $0.log.entries
    } model: {
      $0
    }
  }
}

/// A log whose `format` numbers the messages, so that an entry shows when it was formatted.
private final class NumberedLog: Sendable, OpaqueMirror {
  let log: SerialLog

  init() {
    let formatted = SharedCounter()
    log = SerialLog { "\(formatted.increment()): \($0)" }
  }

  /// Messages that wait at the end of a run are entries, too: `entries` waits for them.
  static var subject: ModelledSubject<NumberedLog, [String]> {
    ModelledSubject(
      model: [], { NumberedLog() }, end: { "\($0.log.entries)" }, modelEnd: { "\($0)" })
  }
}
