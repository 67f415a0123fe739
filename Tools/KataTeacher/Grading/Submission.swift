import Foundation
import KataKit

/// Somebody's answers, as they were handed in.
struct Submission: Sendable {
  /// How a folder of answers is laid out.
  enum Layout: String, Codable, CaseIterable, Sendable {
    /// A clone of the repository, with the answers in its `Katas/`.
    case clone
    /// As `Katas/` is: a folder for each module.
    case modules
    /// Files beside each other.
    case flat
    /// Nothing in it is a kata.
    case nothing

    /// The layout in words.
    var words: String {
      switch self {
      case .clone: "a whole clone"
      case .modules: "laid out like Katas/"
      case .flat: "files beside each other"
      case .nothing: "nothing in it is a kata"
      }
    }
  }

  /// The longest answer that is read, in bytes; the longest reference has a few thousand.
  static let longestAnswer = 256 * 1024

  /// Whose it is: the name of the folder.
  let participant: String
  let layout: Layout
  /// The answers, by the name of the kata.
  private(set) var texts: [String: String] = [:]
  /// Files in the folders of modules that belong to no kata: texts by path, "Barriers/Clock.swift".
  private(set) var companions: [String: String] = [:]
  /// What was handed in and can't be judged: why, by the name of the kata.
  private(set) var unreadable: [String: String] = [:]
  /// What else should be known of it, a sentence each.
  private(set) var notes: [String] = []

  /// Reads the answers in a folder.
  init(participant: String, _ found: SubmissionFolder) {
    self.participant = participant
    layout = found.layout
    for (path, url) in found.files.sorted(by: { $0.key < $1.key }) {
      take(path, url)
    }
    if layout == .nothing { notes.append("Nothing in this folder is a kata.") }
  }

  /// Takes in a file: `path` is relative to where the modules are, or the answers where it's flat.
  private mutating func take(_ path: String, _ url: URL) {
    let kata = Catalogue.katas.first {
      layout == .flat ? "\($0.name).swift" == path : $0.file == path
    }
    switch (Self.text(of: url), kata) {
    case (.success(let text), let kata?): texts[kata.name] = text
    case (.failure(let problem), let kata?): unreadable[kata.name] = "\(path) \(problem.reason)"
    case (.failure(let problem), nil): notes.append("\(path) \(problem.reason)")
    case (.success(let text), nil):
      if layout == .flat {
        notes.append("\(path) isn't a kata and was left out\(Self.suggestion(for: path))")
      } else {
        companions[path] = text
        let advice = Self.suggestion(for: path)
        notes.append("\(path) isn't a kata; it's built with its module\(advice)")
      }
    }
  }

  /// How a sentence about such a file ends.
  private static func suggestion(for path: String) -> String {
    let name = path.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? ""
    let nearest = EditDistance.nearest(to: name, among: Catalogue.katas.map(\.name))
    return nearest.map { "; was \($0).swift meant?" } ?? "."
  }

  /// Why a file isn't read.
  private struct Problem: Error {
    let reason: String
  }

  /// The text of a file that somebody else has written.
  private static func text(of url: URL) -> Result<String, Problem> {
    var status = stat()
    // A link could lead to whatever this account can read.
    guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failure(
        Problem(reason: "is a link or another thing that isn't a file; it isn't read."))
    }
    guard status.st_size <= longestAnswer else {
      return .failure(Problem(reason: "has more than \(longestAnswer / 1024) KB; it isn't read."))
    }
    guard let data = FileManager.default.contents(atPath: url.path),
      let text = String(data: data, encoding: .utf8)
    else { return .failure(Problem(reason: "can't be read as UTF-8 text.")) }
    return .success(text)
  }

  /// A short number for all that was handed in.
  var fingerprint: ContentHash {
    let parts = [texts, companions, unreadable].flatMap { dictionary in
      dictionary.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] } + [""]
    }
    return ContentHash(of: parts)
  }
}
