import Foundation
import KataKit

/// What participants get: some katas with everything that is needed to work on them, and nothing
/// else.
///
/// Its contents are listed here by file or folder; anything that isn't listed is left out. The
/// files that describe the katas are rewritten for it, without the texts of answers.
struct Handout {
  /// The contents of the mark.
  struct Mark: Codable, Equatable {
    /// The katas, in teaching order.
    let katas: [String]
    /// The katas whose references are included.
    let references: [String]
  }

  /// A file of a handout.
  enum Item {
    case text(String)
    /// The file at this path of the clone, unchanged.
    case copy(String)
  }

  let repository: Repository
  let katas: [Kata]
  let hasReferences: Bool
  let selection: HandoutSelection
  /// Whether the documentation's site is included, in the folder `Site`.
  var hasSite = false

  init(of katas: [Kata], hasReferences: Bool, in repository: Repository) throws {
    try Self.checkThatReferencesAreThere(in: repository)
    self.repository = repository
    self.katas = katas
    self.hasReferences = hasReferences
    selection = try HandoutSelection(of: katas, in: repository)
  }

  /// Throws in a handout, for commands that need all references.
  static func checkThatReferencesAreThere(in repository: Repository) throws {
    guard repository.exists(Repository.handoutMark) else { return }
    throw KataError(
      "This is a handout, but this command needs the whole clone with its references.",
      .environment)
  }

  /// The katas whose references are included.
  var references: [Kata] {
    let names = Set(selection.builtOn.map(\.name) + (hasReferences ? katas.map(\.name) : []))
    return Catalogue.katas.filter { names.contains($0.name) }
  }

  var mark: Mark {
    Mark(katas: katas.map(\.name), references: references.map(\.name))
  }

  /// The files by their paths in the handout.
  func files() throws -> [String: Item] {
    var files: [String: Item] = [:]
    for path in Self.asTheyAre where repository.exists(path) { files[path] = .copy(path) }
    for path in try folders.filter(repository.exists).flatMap(repository.files(below:)) {
      files[path] = .copy(path)
    }
    try addKatas(to: &files)
    for path in selection.specs { files[path] = .copy(path) }
    for path in try pages() { files[path] = .copy(path) }
    for kata in katas {
      files[repository.stubPath(of: kata)] = .copy(repository.stubPath(of: kata))
      files[repository.learnerPath(of: kata)] = .copy(repository.stubPath(of: kata))
    }
    for kata in references {
      files[repository.referencePath(of: kata)] = .copy(repository.referencePath(of: kata))
    }
    if hasReferences {
      for path in try katas.map(repository.answersPath).flatMap(repository.files(below:)) {
        files[path] = .copy(path)
      }
    }
    for module in selection.imported {
      files["Modules/\(module.rawValue)/Empty.swift"] = .text(
        "// A spec imports this module but uses nothing of it.\n")
    }
    if selection.needsImages {
      for path in try repository.files(below: "Modules/Images") { files[path] = .copy(path) }
    }
    files["Makefile"] = .text(
      HandoutMakefile(try repository.text("Makefile"), hasReferences: hasReferences).text)
    files["Package.swift"] = .text(
      HandoutManifest(try repository.text("Package.swift"), files: Set(files.keys)).text)
    files["README.md"] = .text(HandoutReadme(self).text)
    files[Repository.handoutMark] = .text(try JSONText.of(mark))
    return files
  }

  private static let asTheyAre = [
    ".editorconfig", ".gitignore", ".swift-format", "LICENSE", "Tools/Package.swift",
    "Tools/build",
  ]
  /// Folders that contain nothing of a kata.
  ///
  /// The authors' tools are left out if there is nothing to prove.
  private var folders: [String] {
    var tools = [
      "KataHooks", "KataHost", "KataKit", "KataPictures", "KataPoints", "KataSanitizer",
      "KataTeacher",
      "KataTesting", "KataThreads", "QuiescenceTesting", "kata", "kata-teacher",
    ]
    if hasReferences { tools += ["KataAuthor", "kata-author"] }
    return [".devcontainer", ".vscode"] + tools.map { "Tools/\($0)" }
  }

  /// The pages of the katas, the chapters of their modules, and the page on compiler errors;
  /// without references, only pages that show no line of one.
  private func pages() throws -> [String] {
    let names =
      katas.map(\.name) + Set(katas.map(\.module)).map(\.chapter) + [CompilerAdvice.page]
    let search = try SolutionSearch(for: self)
    return try names.map(DocumentationPage.path(ofPage:)).filter { path in
      try search.kata(shownBy: repository.text(path)) == nil
    }
  }

  /// Adds the descriptions of these katas.
  private func addKatas(to files: inout [String: Item]) throws {
    let names = katas.map(\.name)
    files[TeachingOrder.path] = .text(TeachingOrder.text(of: katas))
    for kata in katas {
      let file = try KataFile(try repository.text(kata.descriptionPath), path: kata.descriptionPath)
      files[kata.descriptionPath] = .text(
        file.forParticipants(among: names, hasReferences: hasReferences))
      // Measured patterns show how answers fail, and not how they are written; recorded schedules
      // show lines of answers.
      let generated = try repository.files(below: kata.folder).filter { $0.hasSuffix(".json") }
      for path in generated where hasReferences || path == PatternBook.path(of: kata) {
        files[path] = .copy(path)
      }
    }
  }
}
