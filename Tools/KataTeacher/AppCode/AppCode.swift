import Foundation
import KataKit

/// Files from an app that are judged in place: as an answer to a kata, or by a scenario.
///
/// They need no public declarations and no Swift 6 mode, and may have any names. An adapter that is
/// compiled with them may say which of their types is the kata's.
package struct AppCode: Sendable {
  /// The prefix of a type that stands in for the kata's type with the rest of its name, if the code
  /// has a type with that name already.
  static let prefix = "Adapted"

  /// The kata; for a scenario, a made-up one with the scenario's name.
  let kata: Kata
  /// The file of tests that judge the code instead of a kata's spec; nil if a kata's spec does.
  let scenario: URL?
  /// The files; at least one.
  let files: [URL]
  /// The file that gives the kata's names to declarations in the others.
  let adapter: URL?

  /// Finds the files that `paths` name, relative to the current folder: each is a Swift file, or a
  /// folder with Swift files, of which hidden ones are ignored.
  package init(_ paths: [String], as kata: Kata, adapter: String?) throws {
    try self.init(paths, as: kata, scenario: nil, adapter: adapter)
  }

  /// Creates code that a file of tests judges instead of a kata's spec.
  package init(_ paths: [String], by scenario: String, adapter: String?) throws {
    let file = try Self.file(scenario)
    guard
      try Repository(root: file.deletingLastPathComponent()).text(file.lastPathComponent)
        .contains(#/@Suite\([^)]*\.kata\b/#)
    else {
      throw KataError(
        """
        '\(scenario)' has no suite with the trait '.kata'; import KataTesting, and write \
        '@Suite(.kata) struct \(file.deletingPathExtension().lastPathComponent) { … }'.
        """, .usage)
    }
    try self.init(paths, as: .standIn(for: file), scenario: file, adapter: adapter)
  }

  private init(_ paths: [String], as kata: Kata, scenario: URL?, adapter: String?) throws {
    self.kata = kata
    self.scenario = scenario
    self.adapter = try adapter.map { try Self.file($0) }
    var files: [URL] = []
    for path in paths {
      files +=
        SubmissionFolder.isFolder(URL(filePath: path))
        ? try Self.files(in: path) : [try Self.file(path)]
    }
    self.files = files.filter { [adapter = self.adapter] in $0 != adapter && $0 != scenario }
    let names = Dictionary(grouping: self.files, by: \.lastPathComponent)
    if let (name, twice) = names.first(where: { $0.value.count > 1 }) {
      throw KataError(
        "Two files are called '\(name)', but a module can't have both: \(twice[0].path) and "
          + "\(twice[1].path); name the one that counts.", .usage)
    }
    guard !self.files.isEmpty else {
      throw KataError(
        "There is no code beside the adapter or the scenario; name the files with the code as well.",
        .usage)
    }
  }

  /// Everything that is compiled.
  var sources: [URL] { files + [adapter].compactMap(\.self) }

  private static func file(_ path: String) throws -> URL {
    let file = URL(filePath: path).standardizedFileURL
    guard FileManager.default.isReadableFile(atPath: file.path), !SubmissionFolder.isFolder(file)
    else {
      throw KataError("There is no readable file '\(path)'; name a Swift file.", .usage)
    }
    guard path.hasSuffix(".swift") else {
      throw KataError("'\(path)' isn't a Swift file; name one whose name ends in .swift.", .usage)
    }
    // As the compiler and the sanitizer name it.
    return Repository(root: file.deletingLastPathComponent()).root
      .appending(path: file.lastPathComponent)
  }

  private static func files(in folder: String) throws -> [URL] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let files = names.sorted().filter { name in
      name.hasSuffix(".swift") && !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }
    guard !files.isEmpty else {
      throw KataError("There is no Swift file in '\(folder)'; name the file to judge.", .usage)
    }
    return try files.map { try file("\(folder)/\($0)") }
  }
}

extension Kata {
  /// A made-up kata for a file of tests: it has the file's name, and no description.
  ///
  /// Katas of the first module need no module's references.
  fileprivate static func standIn(for scenario: URL) -> Kata {
    let name = scenario.deletingPathExtension().lastPathComponent
    return Kata(
      name, module: .gcdBasics, title: name, difficulty: 1, minutes: 0, hints: [], mistakes: [],
      rightAnswers: [])
  }
}
