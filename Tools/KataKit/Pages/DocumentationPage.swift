import Foundation

/// A hand-written page of `Docs/ConcurrencyKatas.docc`.
package struct DocumentationPage: Equatable, Sendable {
  /// The file's name without its extension: "PhotoStore".
  let name: String
  /// The text, in Markdown as DocC takes it.
  let markdown: String
  private let repository: Repository

  private static let folder = "Docs/ConcurrencyKatas.docc"

  /// The page with this name, of a kata, or of a module, whose page is its chapter.
  init(_ name: String, in repository: Repository) throws {
    let module = Catalogue.modules.first { $0.rawValue.lowercased() == name.lowercased() }
    let katas = try? Catalogue.katas(named: name)
    let file = URL(filePath: name).deletingPathExtension().lastPathComponent
    let wanted = module?.chapter ?? (katas?.count == 1 ? katas?.first?.name : nil) ?? file
    let names = Self.names(in: repository)
    guard let page = names.first(where: { $0.lowercased() == wanted.lowercased() }) else {
      if repository.exists(Repository.handoutMark) {
        throw KataError(
          "The page '\(name)' isn't in this handout; ask your instructor for it.", .notDone)
      }
      if names.isEmpty {
        throw KataError("The pages aren't in this folder; a whole clone has them.", .environment)
      }
      let nearest = EditDistance.nearest(to: wanted, among: names)
      throw KataError(
        "There is no page '\(name)'\(nearest.map { "; did you mean \($0)?" } ?? ".")", .usage)
    }
    self.name = page
    markdown = try repository.text(Self.path(ofPage: page))
    self.repository = repository
  }

  /// The path of the page with this name.
  package static func path(ofPage name: String) -> String { "\(folder)/\(name).md" }

  /// Whether a module's chapter exists; a handout may lack it.
  static func hasChapter(_ module: Module, in repository: Repository) -> Bool {
    repository.exists(path(ofPage: module.chapter))
  }

  private static func names(in repository: Repository) -> [String] {
    guard let files = try? repository.files(below: folder) else { return [] }
    return files.filter { $0.hasSuffix(".md") }.map {
      URL(filePath: $0).deletingPathExtension().lastPathComponent
    }
  }

  /// The page as text for a terminal.
  ///
  /// A link is the title of its page, followed by the page's name in brackets if the two differ.
  func text(_ style: TextStyle) -> String {
    let text = MarkdownText(style: style) { name in
      guard !Catalogue.katas.contains(where: { $0.name == name }),
        let page = try? repository.text(Self.path(ofPage: name)),
        let title = page.firstMatch(of: #/(?m)^# (.+)$/#)
      else { return name }
      return title.1 == name ? name : "\(title.1) (\(name))"
    }
    return text.text(of: markdown)
  }
}

extension Module {
  /// The name of the module's chapter.
  package var chapter: String { "\(rawValue)Chapter" }
}
