import Foundation
import KataKit

/// A new kata: its files, as far as they can be written without its author, and its rows in files
/// that list every kata.
struct Scaffold {
  private let repository: Repository
  let kata: Kata

  /// Checks whether a kata can have this name.
  ///
  /// - Throws: A ``KataError`` with the obstacle.
  init(_ name: String, in module: Module, of repository: Repository) throws {
    self.repository = repository
    kata = Kata(
      name, module: module, title: "", difficulty: 2, minutes: 15, hints: [], mistakes: [],
      rightAnswers: [])
    guard name.wholeMatch(of: #/[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*/#) != nil else {
      throw Self.refusal(
        "'\(name)' can't name a kata; name a type, such as VisitCounter.")
    }
    let katas = try TeachingOrder(in: repository).entries.map(\.name)
    for other in katas + Module.allCases.map(\.rawValue) + ["all"]
    where other.lowercased() == name.lowercased() {
      let owner = katas.contains(other) ? "a kata" : "a module or all katas"
      throw Self.refusal("'\(other)' is the name of \(owner) already; choose another.")
    }
    for place in places where repository.exists(place) {
      throw Self.refusal("There is a '\(place)' already; choose another name, or remove it.")
    }
    // Names that a spec could see.
    let folders =
      ([module.rawValue] + module.imports).map { "Modules/\($0)" }
      + ["Katas/\(module.rawValue)", module.specs, "Tools/KataTesting", "Tools/QuiescenceTesting"]
    let type = try Regex("\\b(class|struct|enum|actor|protocol|typealias) \(name)\\b")
    for path in try folders.flatMap(repository.files(below:)) where path.hasSuffix(".swift") {
      guard try repository.text(path).contains(type) else { continue }
      throw Self.refusal("\(path) has a type '\(name)' already; choose another name.")
    }
  }

  /// An error about the command line.
  static func refusal(_ sentence: String) -> KataError { KataError(sentence, .usage) }

  /// The kata's own files and folders.
  private var places: [String] {
    [
      repository.referencePath(of: kata), repository.learnerPath(of: kata), kata.specFolder,
      kata.folder, DocumentationPage.path(ofPage: kata.name),
    ]
  }

  /// Writes everything, or if that fails, leaves everything unchanged.
  ///
  /// - Returns: The paths of what was written.
  /// - Throws: A ``KataError`` with what can't be read or written.
  func write() throws -> [String] {
    let rows = try rows()
    let files = texts(in: repository) + rows.map { ($0.path, $0.new) }
    do {
      for (path, text) in files { try repository.write(text, to: path) }
    } catch {
      for row in rows { try? repository.write(row.old, to: row.path) }
      for place in places { try? FileManager.default.removeItem(at: repository.url(place)) }
      throw error
    }
    return files.map(\.0)
  }

  // MARK: - The files that list every kata

  private typealias Row = (path: String, old: String, new: String)

  private func rows() throws -> [Row] {
    let (name, module) = (kata.name, kata.module.rawValue)
    let lunch = (Module.allCases.firstIndex(of: kata.module) ?? 0) + 1
    return [
      try row(in: TeachingOrder.path, at: [module, ""]) { "  \(name)\n\($0)" },
      try row(in: "README.md", at: ["| \(module) | "]) { "\($0.dropLast(2)), `\(name)` |" },
      try row(
        in: DocumentationPage.path(ofPage: "Agendas"),
        at: ["### Lunch \(lunch): \(module)", "Homework, "]
      ) { line in
        "\(line.dropLast()), <doc:\(name)>.".replacing(#/^Homework, (\d+)/#) {
          "Homework, \((Int($0.1) ?? 0) + kata.minutes)"
        }
      },
      try row(in: DocumentationPage.path(ofPage: kata.module.chapter), at: []) {
        "\n\(chapterRow)\n\($0)"
      },
      try row(in: "CHANGELOG.md", at: ["## Unreleased", ""]) { "\($0)\n\(changelogRow)" },
    ]
  }

  /// A file with one line changed: the one with the last of several beginnings, below lines with
  /// the other beginnings, in this order.
  ///
  /// An empty beginning means an empty line, and no beginning the end of the file.
  private func row(
    in path: String, at beginnings: [String], change: (String) -> String
  ) throws -> Row {
    let old = try repository.text(path)
    var lines = old.components(separatedBy: "\n")
    var index = beginnings.isEmpty ? lines.count - 1 : -1
    for beginning in beginnings {
      let next = lines[(index + 1)...].firstIndex {
        beginning.isEmpty ? $0.isEmpty : $0.hasPrefix(beginning)
      }
      guard let next else {
        throw KataError(
          "\(path) needs a line '\(beginning)…' for the kata's row; restore it with 'git checkout -- \(path)'.",
          .environment)
      }
      index = next
    }
    lines[index] = change(lines[index])
    return (path, old, lines.joined(separator: "\n"))
  }
}
