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

/// The model: free places, and a queue of visitors that wait for one.
///
/// It never counts below zero, so it can't make the ledger's mistakes.
struct LedgerScript: ScriptedModel {
  enum Move: String, CustomStringConvertible, Sendable {
    case newcomerWaits = "a new visitor waits"
    case wokenWaits = "the visitor that was woken last waits again"
    case signal = "a visitor signals"
    case oldestGivesUp = "the longest sleeper gives up"
    case newestGivesUp = "the latest sleeper gives up"
    case wokenGivesUp = "the time is up for the visitor that was woken last"

    var description: String { rawValue }
  }

  private static let value = 2
  private var ledger = SemaphoreLedger(value: value)
  private var free = value
  private var line: [String] = []
  private var woken: String?
  private var newcomers = 0
  private var written = [LedgerLine(value, .made)]

  let timeline = Timeline()

  func moves() -> [Move] {
    // Waits are twice as likely as signals, so that there is a sleeper to wake.
    var moves: [Move] = [.newcomerWaits, .newcomerWaits, .signal]
    if !line.isEmpty { moves += [.oldestGivesUp, .newestGivesUp] }
    if let woken, !line.contains(woken) { moves += [.wokenWaits, .wokenGivesUp] }
    return moves
  }

  mutating func make(_ move: Move) {
    switch move {
    case .newcomerWaits:
      newcomers += 1
      wait("visitor \(newcomers)")
    case .wokenWaits: if let woken { wait(woken) }
    case .signal:
      timeline.mark("signal", "+1")
      ledger.signal("Zoe")
      let first = line.first
      if first == nil { free += 1 } else { woken = line.removeFirst() }
      write(.signals("Zoe", wakes: first))
    case .oldestGivesUp: if !line.isEmpty { giveUp(line.removeFirst()) }
    case .newestGivesUp: if !line.isEmpty { giveUp(line.removeLast()) }
    case .wokenGivesUp: if let woken { ledger.giveUp(woken) }
    }
  }

  func broken() -> String? {
    guard ledger.lines == written else {
      return "The last lines must be \(tail(written)); they are \(tail(ledger.lines))."
    }
    guard ledger.counter == free - line.count, ledger.sleepers == line else {
      return """
        The counter must stand at \(free - line.count), and these must sleep: \(line). It stands at \
        \(ledger.counter), and these do: \(ledger.sleepers).
        """
    }
    return nil
  }

  private mutating func wait(_ who: String) {
    // If the answer didn't wake this visitor, there is nothing more to compare.
    guard !ledger.sleepers.contains(who) else { return }
    timeline.mark(who, "waits")
    ledger.wait(who)
    let sleeps = free == 0
    if sleeps { line.append(who) } else { free -= 1 }
    write(.waits(who, sleeps: sleeps))
  }

  private mutating func giveUp(_ who: String) {
    timeline.mark(who, "gives up")
    ledger.giveUp(who)
    write(.givesUp(who))
  }

  private mutating func write(_ event: SemaphoreLedger.Event) {
    written.append(LedgerLine(free - line.count, event))
  }

  private func tail(_ lines: [LedgerLine]) -> String {
    lines.suffix(2).map { "'\($0)'" }.joined(separator: ", ")
  }
}
