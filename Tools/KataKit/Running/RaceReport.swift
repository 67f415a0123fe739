import Foundation

/// A data race, as Thread Sanitizer reports it.
package struct RaceReport: Codable, Sendable {
  /// The two unordered accesses, the newer first.
  package let accesses: [Access]

  /// One of the two sides of a race.
  package struct Access: Codable, Sendable {
    /// "Write", "Previous read", and so on.
    package let kind: String
    /// The call stack, innermost first, with only code of this package.
    package let frames: [Frame]

    /// The place to look at: the innermost one in a learner's file, or else the innermost of all;
    /// nil if there is none.
    package var place: Frame? { frames.first(where: \.isLearners) ?? frames.first }

    /// "write" or "read", with the sanitizer's additions.
    package var word: String { kind.replacing("Previous ", with: "").lowercased() }

    /// Whether it comes from a learner's file.
    var isLearners: Bool { frames.contains(where: \.isLearners) }
  }

  /// A place in the code.
  package struct Frame: Codable, Sendable {
    package let function: String
    package let file: String
    package let line: Int
    /// Whether the file is known to be the answer's, in any folder.
    var isOfAnswer = false

    private enum CodingKeys: CodingKey { case function, file, line }

    var isLearners: Bool { isOfAnswer || file.contains("/Katas/") }
  }

  /// The two sides, those that come from a learner's file first.
  package var sides: [Access] {
    accesses.filter(\.isLearners) + accesses.filter { !$0.isLearners }
  }

  /// The explanation of a race, before its places.
  ///
  /// - Parameter isLearners: Whether a side of it comes from a learner's file.
  /// - Returns: A sentence or two.
  package static func sentence(isLearners: Bool) -> String {
    let accused = """
      Two threads touch the same memory, one of them writes, and nothing orders the two. A test that \
      passes does so by luck.
      """
    return isLearners
      ? accused
      : """
      \(accused) The memory is the spec's; it's used where your code calls a closure of the spec, and \
      your code must order these calls.
      """
  }

  /// What is said if the sanitizer has named no line of either side.
  package static let withoutPlaces = """
    Thread Sanitizer named no line of it: on a Mac it asks 'atos', which may be refused. Look for memory \
    that two threads use and that no lock or queue protects.
    """

  /// The race that says most to a learner: one with sides in the learner's file.
  static func mostTelling(of races: [RaceReport]) -> RaceReport? {
    let counts = races.map { race in race.accesses.count(where: \.isLearners) }
    return zip(races, counts).first { $1 == counts.max() }?.0
  }

  /// Reads the reports in Thread Sanitizer's logs below `folder`.
  ///
  /// The answer is in the files `answer`. A report may give only the names of these files and of `specs`.
  static func read(
    in folder: String, answer: [String], specs: [String] = []
  ) throws -> [RaceReport] {
    let logs = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return logs.filter { $0.split(separator: "/").last?.hasPrefix("race.") ?? false }.sorted()
      .compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
      .flatMap { parse($0, answer: answer, specs: specs) }
  }

  /// The reports in a log.
  static func parse(
    _ log: String, answer: [String] = [], specs: [String] = []
  ) -> [RaceReport] {
    log.components(separatedBy: "WARNING: ThreadSanitizer: ").dropFirst()
      .filter { $0.hasPrefix("data race") || $0.hasPrefix("Swift access race") }
      .map { RaceReport(accesses: accesses($0, answer, specs)) }
  }

  private static func accesses(
    _ report: String, _ answer: [String], _ specs: [String]
  ) -> [Access] {
    var accesses: [Access] = []
    var kind: String?
    var frames: [Frame] = []
    for line in report.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() {
      if let match = line.firstMatch(
        of:
          #/^  (.*?(?:[Rr]ead|[Ww]rite|[Mm]odifying access|access)[^:]*?) (?:of size \d+ )?(?:at|of Swift variable at) 0x/#
      ) {
        kind = String(match.1)
        frames = []
      } else if kind != nil,
        // On Apple's platforms `atos` gives file names without folders.
        let match = line.firstMatch(
          of: #/^    #\d+ (.*?) \(?(/.*?\.swift|[^\s/()]+\.swift):(\d+)(?::\d+)?/#),
        let number = Int(match.3)
      {
        let name = String(match.2)
        let file =
          name.hasPrefix("/") ? name : (answer + specs).first { $0.hasSuffix("/\(name)") }
        if let file {
          frames.append(
            Frame(
              function: String(match.1), file: file, line: number,
              isOfAnswer: answer.contains(file)))
        }
      } else if let found = kind, line.trimmingCharacters(in: .whitespaces).isEmpty {
        accesses.append(Access(kind: found, frames: frames))
        kind = nil
      }
    }
    return accesses
  }
}
