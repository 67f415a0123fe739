import Foundation

/// A page of `Docs/ConcurrencyKatas.docc`, as it was written by hand.
package struct DocumentationPage: Equatable, Sendable {
  /// The file's name without its extension: "PhotoStore".
  let name: String
  /// The text, in Markdown as DocC takes it.
  let markdown: String
  private let repository: Repository

  private static let folder = "Docs/ConcurrencyKatas.docc"

  /// The page of a kata or of a module, which is its chapter, or the one of this name.
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

  /// Where the page of this name lies.
  package static func path(ofPage name: String) -> String { "\(folder)/\(name).md" }

  /// Whether a module's chapter is there; a handout may lack it.
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
  /// A link is the title of the page that it leads to, followed by the page's name in brackets where the two differ.
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
