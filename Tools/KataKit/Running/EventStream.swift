import Foundation

/// Parses Swift Testing's events as they arrive.
///
/// Source: the JSON event stream of Swift Testing, version 6.3.
struct EventStream {
  static let version = "6.3"

  /// The parts of an event that are used here.
  enum Event: Equatable {
    case test(id: String, name: String, file: String?, line: Int)
    case testStarted(id: String)
    case issue(id: String?, TestIssue)
    case testEnded(id: String)
    case runEnded
  }

  private var rest = Data()

  /// The events in the next part of the stream.
  ///
  /// An incomplete line is kept for the next call.
  mutating func take(_ data: Data) -> [Event] {
    rest.append(data)
    var events: [Event] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[rest.startIndex..<end]
      rest = Data(rest[rest.index(after: end)...])
      if let event = Self.event(line) { events.append(event) }
    }
    return events
  }

  private static func event(_ line: Data) -> Event? {
    guard let record = try? JSONDecoder().decode(Record.self, from: line) else { return nil }
    let payload = record.payload
    if record.kind == "test" {
      guard payload.kind == "function", let id = payload.id else { return nil }
      return .test(
        id: id, name: payload.displayName ?? payload.name ?? id,
        file: payload.sourceLocation?.filePath, line: payload.sourceLocation?.line ?? 0)
    }
    switch payload.kind {
    case "testStarted": return payload.testID.map { .testStarted(id: $0) }
    case "testEnded": return payload.testID.map { .testEnded(id: $0) }
    case "runEnded": return .runEnded
    case "issueRecorded" where payload.issue?.isKnown != true && payload.issue?.isFailure != false:
      return .issue(id: payload.testID, TestIssue(payload))
    default: return nil
    }
  }

  // MARK: - The stream's own format

  fileprivate struct Record: Decodable {
    let kind: String
    let payload: Payload
  }

  fileprivate struct Payload: Decodable {
    let kind: String?
    let id: String?
    let name: String?
    let displayName: String?
    let testID: String?
    let sourceLocation: Location?
    let issue: Issue?
    let messages: [Message]?
  }

  fileprivate struct Location: Decodable {
    let filePath: String?
    let line: Int?
  }

  fileprivate struct Issue: Decodable {
    let isKnown: Bool?
    let isFailure: Bool?
    let sourceLocation: Location?
  }

  fileprivate struct Message: Decodable {
    let symbol: String
    let text: String
  }
}

/// A failure that a spec records.
package struct TestIssue: Codable, Equatable, Sendable {
  /// Swift Testing's message: the expectation with its values.
  package let expectation: String
  /// The spec's message: the broken promise, with its picture.
  package let message: String
  /// The file of the expectation, as the compiler named it.
  package let file: String?
  package let line: Int?
  /// The lines at which a schedule held threads, in order; nil if it isn't a schedule's.
  package private(set) var heldAt: [Line]?

  /// A line of a source file.
  package struct Line: Codable, Equatable, Sendable {
    package let file: String
    package let line: Int

    package init(file: String, line: Int) {
      (self.file, self.line) = (file, line)
    }
  }

  /// The prefix of a spec's message if the answer hangs instead of giving a wrong result.
  private static let hangPrefix = "Hung: "
  /// The prefix if a race was seen.
  private static let racePrefix = "Race: "

  /// Whether the answer hangs.
  package var isHang: Bool { message.hasPrefix(Self.hangPrefix) }

  /// Whether two threads made unordered accesses to the same memory.
  package var isRace: Bool { message.hasPrefix(Self.racePrefix) }

  /// The message without the mark of a hang or a race.
  package var sentence: String {
    let mark = [Self.hangPrefix, Self.racePrefix].first { message.hasPrefix($0) }
    let text = mark.map { message.dropFirst($0.count).asSentence } ?? message
    return text.isEmpty ? expectation : text
  }

  /// The condition that doesn't hold, if it's short enough to help; nil if it only repeats the
  /// message.
  package var expected: String? {
    let prefix = "Expectation failed: "
    guard !message.isEmpty, expectation.hasPrefix(prefix) else { return nil }
    let condition = expectation.dropFirst(prefix.count)
    let isReadable =
      condition.count <= 140 && !condition.contains("\n")
      && !condition.contains(#/\b[A-Z]\w*\.[A-Z]|Optional\(/#)
    guard isReadable else { return nil }
    // An object's address says nothing to a reader.
    return String(condition).replacing(#/(<[\w.]+): 0x[0-9a-f]+>/#) { "\($0.1)>" }
  }

  init(expectation: String, message: String, file: String?, line: Int?) {
    self.expectation = expectation
    self.message = message
    self.file = file
    self.line = line
  }

  /// The same with the message of a schedule that held threads at these lines.
  func saying(_ message: String, heldAt: [Line]) -> TestIssue {
    var issue = TestIssue(expectation: expectation, message: message, file: file, line: line)
    issue.heldAt = heldAt
    return issue
  }

  fileprivate init(_ payload: EventStream.Payload) {
    let messages = payload.messages ?? []
    expectation = messages.first { $0.symbol != "details" }?.text ?? ""
    message = messages.filter { $0.symbol == "details" }.map(\.text).joined(separator: "\n")
    file = payload.issue?.sourceLocation?.filePath
    line = payload.issue?.sourceLocation?.line
  }
}

extension StringProtocol {
  /// The text with an initial capital, unless it starts with a name from the code.
  fileprivate var asSentence: String {
    prefix { $0 != " " }.contains("(") ? String(self) : prefix(1).uppercased() + dropFirst()
  }
}
