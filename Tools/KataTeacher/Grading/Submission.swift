import Foundation
import KataKit

/// A participant's answers, as they were handed in.
struct Submission: Sendable {
  /// How a folder of answers is laid out.
  enum Layout: String, Codable, CaseIterable, Sendable {
    /// A clone of the repository, with the answers in its `Katas/`.
    case clone
    /// Like `Katas/`: a folder for each module.
    case modules
    /// Files in one folder.
    case flat
    /// Nothing in it is a kata.
    case nothing

    /// The layout in words.
    var words: String {
      switch self {
      case .clone: "a whole clone"
      case .modules: "laid out like Katas/"
      case .flat: "files in one folder"
      case .nothing: "no kata in it"
      }
    }
  }

  /// The longest answer that is read, in bytes; the longest reference has a few thousand.
  static let longestAnswer = 256 * 1024

  /// The participant: the name of the folder.
  let participant: String
  let layout: Layout
  /// The answers, by the name of the kata.
  private(set) var texts: [String: String] = [:]
  /// Files in module folders that belong to no kata: texts by path, "Barriers/Clock.swift".
  private(set) var companions: [String: String] = [:]
  /// The reasons why answers can't be judged, by the name of the kata.
  private(set) var unreadable: [String: String] = [:]
  /// Remarks, in a sentence each.
  private(set) var notes: [String] = []

  /// Reads the answers in a folder.
  init(participant: String, _ found: SubmissionFolder) {
    self.participant = participant
    layout = found.layout
    for (path, url) in found.files.sorted(by: { $0.key < $1.key }) {
      take(path, url)
    }
    if layout == .nothing { notes.append("No file in this folder is a kata.") }
  }

  /// Adds a file: `path` is relative to the modules' folder, or to the answers' folder if it's
  /// flat.
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
    return nearest.map { "; did you mean \($0).swift?" } ?? "."
  }

  /// Why a file isn't read.
  private struct Problem: Error {
    let reason: String
  }

  /// The text of a file from an untrusted author.
  private static func text(of url: URL) -> Result<String, Problem> {
    var status = stat()
    // A link could lead to any file that this account can read.
    guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failure(
        Problem(reason: "is a link or something else that isn't a file; it isn't read."))
    }
    guard status.st_size <= longestAnswer else {
      return .failure(Problem(reason: "has more than \(longestAnswer / 1024) KB; it isn't read."))
    }
    guard let data = FileManager.default.contents(atPath: url.path),
      let text = String(data: data, encoding: .utf8)
    else { return .failure(Problem(reason: "can't be read as UTF-8 text.")) }
    return .success(text)
  }

  /// A hash of everything that was handed in.
  var fingerprint: ContentHash {
    let parts = [texts, companions, unreadable].flatMap { dictionary in
      dictionary.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] } + [""]
    }
    return ContentHash(of: parts)
  }
}
