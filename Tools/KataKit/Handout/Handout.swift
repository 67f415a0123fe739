import Foundation

/// What participants get: some katas with all that is needed to work on them, and nothing else.
///
/// What goes in is listed here, file by file or folder by folder; what isn't listed stays at home. The
/// catalogue is written anew for it, without the texts of answers (``CatalogueSource``).
struct Handout {
  /// The file by which a handout is known, with what is in it.
  static let markPath = "Handout.json"

  /// What the mark says.
  struct Mark: Codable, Equatable {
    /// The katas, in teaching order.
    let katas: [String]
    /// The katas whose references are there.
    let references: [String]
    /// Katas of which only the stub is there, because others are built with it.
    let company: [String]
  }

  /// A file of a handout.
  enum Item {
    case text(String)
    /// The file at this path of the clone, as it is.
    case copy(String)
  }

  let house: House
  let katas: [Kata]
  let hasReferences: Bool
  let selection: HandoutSelection
  /// Whether the documentation's site comes with it, in the folder `Site`.
  var hasSite = false

  init(of katas: [Kata], hasReferences: Bool, in house: House) throws {
    try Self.checkThatReferencesAreThere(in: house)
    self.house = house
    self.katas = katas
    self.hasReferences = hasReferences
    selection = try HandoutSelection(of: katas, hasReferences: hasReferences, in: house)
  }

  /// Throws a sentence in a handout: what needs all references can't be done there.
  static func checkThatReferencesAreThere(in house: House) throws {
    guard house.exists(markPath) else { return }
    throw KataError(
      "This is a handout, and what you ask for needs the whole clone with its references.",
      .environment)
  }

  /// The katas whose references are in it.
  var references: [Kata] {
    let names = Set(selection.builtOn.map(\.name) + (hasReferences ? katas.map(\.name) : []))
    return Catalogue.katas.filter { names.contains($0.name) }
  }

  var mark: Mark {
    Mark(
      katas: katas.map(\.name), references: references.map(\.name),
      company: selection.company.map(\.name))
  }

  /// The files by their paths in the handout.
  func files() throws -> [String: Item] {
    var files: [String: Item] = [:]
    for path in Self.asTheyAre where house.exists(path) { files[path] = .copy(path) }
    for path in try Self.folders.filter(house.exists).flatMap(house.files(below:)) {
      files[path] = .copy(path)
    }
    try addTools(to: &files)
    for path in selection.files where path.hasPrefix("Tests/") { files[path] = .copy(path) }
    for kata in katas + selection.company {
      files[house.stubPath(of: kata)] = .copy(house.stubPath(of: kata))
      files[house.learnerPath(of: kata)] = .copy(house.stubPath(of: kata))
    }
    for kata in references {
      files[house.referencePath(of: kata)] = .copy(house.referencePath(of: kata))
    }
    if hasReferences {
      for path in try katas.map(house.answersPath).flatMap(house.files(below:)) {
        files[path] = .copy(path)
      }
    }
    for module in selection.imported {
      files["Modules/\(module.rawValue)/Empty.swift"] = .text(
        "// A spec imports this module and uses nothing of it.\n")
    }
    if selection.needsImages {
      for path in try house.files(below: "Modules/Images") { files[path] = .copy(path) }
    }
    files["Makefile"] = .text(
      HandoutMakefile(try house.text("Makefile"), hasReferences: hasReferences).text)
    files["README.md"] = .text(HandoutReadme(self).text)
    files[Self.markPath] = .text(try JSONText.of(mark))
    return files
  }

  private static let asTheyAre = [
    ".editorconfig", ".gitignore", ".swift-format", "LICENSE", "Package.swift",
  ]
  /// Folders that hold nothing of the katas.
  private static let folders = [
    ".devcontainer", ".vscode", "Tools/KataPictures", "Tools/KataSanitizer", "Tools/KataTesting",
    "Tools/KataThreads",
    "Tools/kata",
  ]

  /// The tool, with a catalogue of these katas.
  private func addTools(to files: inout [String: Item]) throws {
    let catalogue = "Tools/KataKit/Catalogue"
    let names = Set(katas.map(\.name))
    for path in try house.files(below: "Tools/KataKit") where !path.hasPrefix("\(catalogue)/") {
      files[path] = .copy(path)
    }
    files["Tools/KataKit/.swift-format"] = .copy("Tools/KataKit/.swift-format")
    files["\(catalogue)/Kata.swift"] = .copy("\(catalogue)/Kata.swift")
    files["\(catalogue)/Catalogue.swift"] = .text(try list())
    for kata in katas {
      let source = CatalogueSource(kata: kata, names: names, hasReferences: hasReferences)
      files["\(catalogue)/\(kata.file)"] = .text(source.text)
    }
    // What was measured of each kata: it says how answers fail, and not how they are written.
    for path in names.map(PatternBook.path) where house.exists(path) {
      files[path] = .copy(path)
    }
    if house.exists(PictureBook.path) {
      files[PictureBook.path] = .text(try measured(PictureBook.path, of: names))
    }
  }

  /// The source of the catalogue's list, with the lines of these katas.
  private func list() throws -> String {
    let path = "Tools/KataKit/Catalogue/Catalogue.swift"
    let chosen = Set(katas.map { CatalogueSource.entry(of: $0) })
    let all = Set(Catalogue.katas.map { CatalogueSource.entry(of: $0) })
    let lines = try house.text(path).split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { line in
      !all.contains(String(line)) || chosen.contains(String(line))
    }
    guard lines.count - kept.count == all.count - chosen.count else {
      throw KataError(
        "\(path) doesn't list each kata on a line of its own, so none can be left out.",
        .environment)
    }
    return kept.joined(separator: "\n")
  }

  /// A file of objects by kata, with those of `names`.
  private func measured(_ path: String, of names: Set<String>) throws -> String {
    let data = Data(try house.text(path).utf8)
    guard let all = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw KataError(
        "\(path) is damaged; restore it with 'git checkout -- \(path)'.", .environment)
    }
    let some = all.filter { names.contains($0.key) }
    return String(
      decoding: try JSONSerialization.data(
        withJSONObject: some, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]),
      as: UTF8.self) + "\n"
  }
}

extension CatalogueSource {
  /// The line of the catalogue's list that names a kata.
  static func entry(of kata: Kata) -> String {
    "    .\(kata.name.prefix(1).lowercased() + kata.name.dropFirst()),"
  }
}
