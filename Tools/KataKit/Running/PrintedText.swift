import Foundation
import Synchronization

/// What an answer has printed in each test: the first lines and the last ones.
///
/// A line that begins with a mark says which test runs from there on. Only a bounded amount is kept.
/// Thread-safe.
package final class PrintedText: Sendable {
  /// A line, as bytes: most lines are dropped unread.
  private typealias Line = [UInt8]

  /// The lines of one test.
  private struct Lines {
    var first: [Line] = []
    var last: [Line] = []
    var leftOut = 0

    mutating func add(_ line: Line) {
      guard first.count == PrintedText.kept else {
        first.append(line)
        return
      }
      last.append(line)
      guard last.count > PrintedText.kept else { return }
      last.removeFirst()
      leftOut += 1
    }

    var text: String {
      let gap = leftOut > 0 ? ["… \(leftOut) more lines …"] : []
      return (first.map(PrintedText.shown) + gap + last.map(PrintedText.shown))
        .joined(separator: "\n")
    }
  }

  private struct State {
    var lines: [String: Lines] = [:]
    var test: String?
    /// The beginning of an incomplete line.
    var rest: Line = []

    /// Whether the next line may be one of the running test's first.
    var hasRoom: Bool { (test.flatMap { lines[$0] }?.first.count ?? 0) < PrintedText.kept }

    /// Appends to the incomplete line.
    mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>, _ width: Int) {
      rest += bytes.prefix(max(0, 4 * width - rest.count))
    }
  }

  /// The prefix of a line that names a test, as `KataTesting` writes it; without a name, what
  /// follows belongs to no test.
  private static let mark: UInt8 = 1
  /// The same, if what the test has printed before is dropped.
  private static let markAnew: UInt8 = 2
  /// This many lines are kept from the beginning, and as many from the end.
  private static let kept = 10
  /// This many characters of a line are kept.
  private static let width = 400

  private let state = Mutex(State())
  /// Whether Swift Testing's own lines appear between those of the answer.
  private let hasConsole: Bool

  package init(hasConsole: Bool) {
    self.hasConsole = hasConsole
  }

  /// Takes printed bytes.
  ///
  /// The printing process may wait for this, so lines that aren't kept are only counted.
  package func take(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      /// The ranges of the lines after the first ones of the running test.
      var later: [(start: Int, end: Int)] = []
      func takeLater(_ state: inout State) {
        guard let test = state.test, !later.isEmpty else { return }
        state.lines[test]?.leftOut += max(0, later.count - Self.kept)
        for line in later.suffix(Self.kept) {
          state.lines[test]?.add(Line(bytes[line.start..<line.end].prefix(4 * Self.width)))
        }
        later = []
      }
      var hasRoom = state.hasRoom
      var start = 0
      while start < bytes.count,
        let found = memchr(bytes.baseAddress! + start, 10, bytes.count - start)
      {
        let end = UnsafeRawPointer(found) - bytes.baseAddress!
        if hasRoom || !state.rest.isEmpty || bytes[start] <= Self.markAnew {
          takeLater(&state)
          state.add(bytes[start..<end], Self.width)
          take(&state)
          hasRoom = state.hasRoom
        } else if end > start,
          !isForeign(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        {
          later.append((start, end))
        }
        start = end + 1
      }
      takeLater(&state)
      state.add(bytes[start...], Self.width)
    }
  }

  /// What was printed while the test with this name ran; nil if that is nothing.
  package func text(of test: String) -> String? {
    state.withLock { state in
      // A killed process may leave its last line incomplete.
      take(&state)
      return state.lines[test]?.text
    }
  }

  /// Takes a line.
  private func take(_ state: inout State) {
    defer { state.rest.removeAll(keepingCapacity: true) }
    if let first = state.rest.first, first == Self.mark || first == Self.markAnew {
      let name = String(decoding: state.rest.dropFirst(), as: UTF8.self)
      if first == Self.markAnew { state.lines[name] = nil }
      state.test = name.isEmpty ? nil : name
    } else if let test = state.test, state.rest.contains(where: { $0 > UInt8(ascii: " ") }),
      !state.rest.withUnsafeBytes(isForeign)
    {
      state.lines[test, default: Lines()].add(state.rest)
    }
  }

  /// Whether a line is Swift Testing's or the runtime's, and not the answer's.
  private func isForeign(_ line: UnsafeRawBufferPointer) -> Bool {
    Self.isOfTrace(line) || hasConsole && Self.isOfTesting(line)
  }

  /// Whether a line belongs to the stack that Swift's runtime prints below a fatal error.
  private static func isOfTrace(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = line.first, line.count >= 20 else { return false }
    if first == UInt8(ascii: "C") { return line.elementsEqual("Current stack trace:".utf8) }
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    // A number, a library, an address.
    let sign = Array(" 0x0000".utf8)
    return line.indices.dropLast(sign.count).contains { start in
      line[start] == sign[0] && line[start...].starts(with: sign)
    }
  }

  /// What Swift Testing's own lines begin with, after a colour.
  private static let signs = "◇✔✘↳➜━±⚠".map { Array(String($0).utf8) }

  /// Whether Swift Testing has written a line, and not the answer.
  private static func isOfTesting(_ line: UnsafeRawBufferPointer) -> Bool {
    var start = 0
    // A colour: an escape, up to its 'm'.
    while start < line.count, line[start] == 0x1B,
      let end = line[start...].firstIndex(of: UInt8(ascii: "m"))
    {
      start = end + 1
    }
    // Nearly all lines of answers begin with an ASCII character.
    guard start < line.count, line[start] >= 0x80 else { return false }
    return signs.contains { line[start...].starts(with: $0) }
  }

  /// A line without characters that would move a terminal's cursor, cut to a readable length.
  private static func shown(_ line: Line) -> String {
    let plain = String(decoding: line, as: UTF8.self).replacing("\t", with: "  ").filter {
      !$0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
    }
    return plain.count > width ? plain.prefix(width) + "…" : plain
  }
}
