/// What a test says of an answer that it rejects, reduced to words that are the same in every run.
///
/// Written as one line: "failed: The reader came in while … wrote."
package struct FailureSignature: Hashable, Comparable, Sendable {
  /// Whether the test failed, hung or crashed.
  package let status: TestReport.Status
  /// The first sentence of the spec's message without its values, or how the process died.
  package let gist: String

  /// The placeholder for a value.
  private static let blank = "…"

  init(_ status: TestReport.Status, _ gist: String = "") {
    self.status = status
    self.gist = gist
  }

  package static func < (first: FailureSignature, second: FailureSignature) -> Bool {
    first.description < second.description
  }

  // MARK: - From a test

  /// The signatures of a test; none if it passed or wasn't reached.
  ///
  /// A test with arguments may say several things.
  static func all(of test: TestReport) -> Set<FailureSignature> {
    switch test.status {
    case .passed, .notReached: return []
    case .crashed: return [FailureSignature(.crashed, cause(of: test.crash ?? ""))]
    case .failed, .hung:
      let said = test.issues.map { issue in
        let status: TestReport.Status = issue.isHang ? .hung : .failed
        return FailureSignature(
          status, issue.message.isEmpty ? form(of: issue.expectation) : gist(of: issue.sentence))
      }
      return said.isEmpty ? [FailureSignature(test.status)] : Set(said)
    }
  }

  /// The first sentence of a message, with a placeholder for everything that may differ between
  /// runs: numbers, and text in quotes or brackets.
  ///
  /// A picture or a script below the message isn't part of it.
  package static func gist(of message: String) -> String {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    var text = lines.prefix { !$0.isEmpty && !$0.hasPrefix(" ") }.joined(separator: " ")
    text.replace(#/"[^"]*"|“[^”]*”|`[^`]*`|\[[^\[\]]*\]/#, with: blank)
    text.replace(#/(^|\s|\()'[^']*'/#) { "\($0.1)\(blank)" }
    text.replace(#/[-+]?\d+(?:[.,:]\d+)*/#, with: blank)
    text.replace(#/…(?:(?:,| and| or)? …)+/#, with: blank)
    let sentence = text.firstMatch(of: #/^.*?[.!?](?=\s|$)/#)
    return sentence.map { String($0.0) } ?? text
  }

  /// Swift Testing's own message, if the spec has none: its general form.
  private static func form(of expectation: String) -> String {
    gist(of: String(expectation.prefix { $0 != ":" && $0 != "(" }))
  }

  /// How a process died: by which signal, or by an exit.
  ///
  /// A trap is a different signal on another processor.
  private static func cause(of crash: String) -> String {
    guard let signal = crash.firstMatch(of: #/SIG[A-Z]+/#).map({ String($0.0) }) else {
      return crash.contains("exit code") ? "exit" : ""
    }
    return ["SIGILL", "SIGTRAP"].contains(signal) ? "trap" : signal
  }

  // MARK: - Similarity

  /// How similar two signatures are, from 0 to 1.
  ///
  /// It's the number of words that both gists have, divided by the number that at least one has, so
  /// a sentence with other values is still mostly the same. It's half of that if one hangs and the
  /// other doesn't.
  func likeness(to other: FailureSignature) -> Double {
    let likeness: Double
    if gist == other.gist {
      likeness = 1
    } else {
      let (mine, others) = (words, other.words)
      likeness = Double(mine.intersection(others).count) / Double(mine.union(others).count)
    }
    return status == other.status ? likeness : likeness / 2
  }

  private var words: Set<Substring> { Set(gist.split { !$0.isLetter && $0 != "'" }) }
}

// MARK: - As a line of text

extension FailureSignature: Decodable, CustomStringConvertible {
  package var description: String { gist.isEmpty ? status.rawValue : "\(status.rawValue): \(gist)" }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let parts = try container.decode(String.self).split(separator: ": ", maxSplits: 1)
    guard let status = parts.first.flatMap({ TestReport.Status(rawValue: String($0)) }) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "It isn't a failure signature.")
    }
    self.init(status, parts.count > 1 ? String(parts[1]) : "")
  }
}
