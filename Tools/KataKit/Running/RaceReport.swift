import Foundation

/// A data race, as Thread Sanitizer reports it.
public struct RaceReport: Codable, Sendable {
  /// The accesses that nothing orders, the newer first.
  public let accesses: [Access]

  /// One of the two sides of a race.
  public struct Access: Codable, Sendable {
    /// "Write", "Previous read", and so on.
    public let kind: String
    /// Where it comes from, innermost first; only code of this package.
    public let frames: [Frame]
  }

  /// A place in the code.
  public struct Frame: Codable, Sendable {
    public let function: String
    public let file: String
    public let line: Int
  }

  /// The reports in the logs that Thread Sanitizer left below `folder`.
  static func read(in folder: String) throws -> [RaceReport] {
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.split(separator: "/").last?.hasPrefix("race.") ?? false }.sorted()
      .compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
      .flatMap(parse)
  }

  /// The reports in a log.
  static func parse(_ log: String) -> [RaceReport] {
    log.components(separatedBy: "WARNING: ThreadSanitizer: ").dropFirst()
      .filter { $0.hasPrefix("data race") || $0.hasPrefix("Swift access race") }
      .map { RaceReport(accesses: accesses($0)) }
  }

  private static func accesses(_ report: String) -> [Access] {
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
        let match = line.firstMatch(of: #/^    #\d+ (.*?) (/.*?\.swift):(\d+)(?::\d+)?/#),
        let number = Int(match.3)
      {
        frames.append(Frame(function: String(match.1), file: String(match.2), line: number))
      } else if let found = kind, line.trimmingCharacters(in: .whitespaces).isEmpty {
        accesses.append(Access(kind: found, frames: frames))
        kind = nil
      }
    }
    return accesses
  }
}
