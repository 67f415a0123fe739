import Foundation

/// An answer to a kata, as files that a compiler reads.
package struct AnswerSource: Sendable {
  package let kata: Kata
  /// The file of the answer; compiler, sanitizer and `#filePath` name it by this path.
  package let file: URL
  /// Files that are compiled with it and belong to no kata.
  var companions: [URL] = []

  /// The answer's file, and what is compiled with it.
  var files: [URL] { [file] + companions }

  /// The learner's answer in its place, with other files beside it that belong to no kata.
  init(learnersAnswerTo kata: Kata, in repository: Repository) {
    self.kata = kata
    file = repository.url(repository.learnerPath(of: kata))
    let folder = file.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let katas = Set(Catalogue.katas(of: kata.module).map { "\($0.name).swift" })
    companions = names.filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix(".") && !katas.contains($0)
    }.sorted().map { folder.appending(path: $0) }
  }

  /// An answer that exists only as text, written into a folder that is laid out like a clone.
  ///
  /// Companions are texts by path, such as "Barriers/Clock.swift".
  package init(
    to kata: Kata, text: String, companions: [String: String] = [:], in folder: URL
  ) throws {
    self.kata = kata
    let repository = Repository(root: folder)
    try repository.write(text, to: repository.learnerPath(of: kata))
    file = repository.url(repository.learnerPath(of: kata))
    for (path, text) in companions.sorted(by: { $0.key < $1.key }) {
      try repository.write(text, to: "Katas/\(path)")
      self.companions.append(repository.url("Katas/\(path)"))
    }
  }
}
