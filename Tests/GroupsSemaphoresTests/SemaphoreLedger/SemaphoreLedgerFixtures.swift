import KataTesting
import Testing

typealias LedgerLine = SemaphoreLedger.Line

/// Compares a ledger with what must be written there, and reports the first line that differs.
func expect(
  _ ledger: SemaphoreLedger, reads expected: [LedgerLine], _ sentence: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard ledger.lines != expected else { return }
  let lines = ledger.lines
  let number = zip(lines, expected).prefix { $0 == $1 }.count
  let read = number < lines.count ? "'\(lines[number])'" : "missing"
  let wanted = number < expected.count ? "'\(expected[number])'" : "no line"
  let page = lines.prefix(number).map { "  \($0)\n" }.joined()
  Issue.record(
    """
    \(sentence) Line \(number + 1) must be \(wanted); it is \(read). The lines before it are right:

    \(page)
    """,
    sourceLocation: sourceLocation)
}

/// A ledger, and the number of visitors that came once.
final class SharedLedger: Sendable, OpaqueMirror {
  private let ledger = LockedValue(SemaphoreLedger(value: LedgerModel.value))
  private let newcomers = SharedCounter()

  func wait(_ who: String? = nil) -> String {
    let who = who ?? "visitor \(newcomers.increment())"
    return ledger.withLock { ledger in
      // If the answer didn't wake this visitor, it can't wait.
      ledger.sleepers.contains(who) ? "\(who) sleeps already" : "\(ledger.wait(who))"
    }
  }

  func signal(_ who: String) -> String { ledger.withLock { "\($0.signal(who))" } }

  func giveUp(_ who: String) -> String {
    ledger.withLock { ledger in ledger.giveUp(who).map { "\($0)" } ?? "nil" }
  }

  var summary: String {
    let ledger = ledger.value
    return LedgerModel.summary(ledger.counter, ledger.sleepers, ledger.lines.count)
  }
}

/// The model: free places, and a queue of visitors that wait for one.
///
/// It never counts below zero, so it can't make the ledger's mistakes.
struct LedgerModel: Sendable {
  static let value = 2
  private var free = value
  private var line: [String] = []
  private var newcomers = 0
  private var lines = 1

  static func summary(_ counter: Int, _ sleepers: [String], _ lines: Int) -> String {
    "counter \(counter), sleepers \(sleepers), \(lines) lines"
  }

  var summary: String { Self.summary(free - line.count, line, lines) }

  /// A sleeper doesn't wait again: it has to be woken first.
  mutating func wait(_ who: String? = nil) -> ModelStep<String> {
    if who == nil { newcomers += 1 }
    let who = who ?? "visitor \(newcomers)"
    if line.contains(who) { return .waits }
    let sleeps = free == 0
    if sleeps { line.append(who) } else { free -= 1 }
    return .returns(write(.waits(who, sleeps: sleeps)))
  }

  mutating func signal(_ who: String) -> String {
    let woken = line.isEmpty ? nil : line.removeFirst()
    if woken == nil { free += 1 }
    return write(.signals(who, wakes: woken))
  }

  mutating func giveUp(_ who: String) -> String {
    guard let place = line.firstIndex(of: who) else { return "nil" }
    line.remove(at: place)
    return write(.givesUp(who))
  }

  private mutating func write(_ event: SemaphoreLedger.Event) -> String {
    lines += 1
    return "\(LedgerLine(free - line.count, event))"
  }
}
