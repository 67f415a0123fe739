import Foundation
import KataKit

/// The files that some katas need to be built and judged.
///
/// A kata's spec consists of the files in its folder and of those that its module's specs share;
/// neither uses another kata's folder. The kata's description lists the types that it uses.
struct HandoutSelection {
  /// Paths of the specs and their fixtures, sorted.
  let specs: [String]
  /// The katas whose references the chosen ones use, in teaching order.
  let builtOn: [Kata]
  /// The modules of references that are imported although no reference of them is needed.
  let imported: [Module]
  /// Whether the module of pictures is imported.
  let needsImages: Bool

  init(of katas: [Kata], in repository: Repository) throws {
    specs = try Set(katas.flatMap { try repository.specSources(of: $0) }).sorted()
    let needed = try Self.references(for: katas, in: repository)
    builtOn = Catalogue.katas.filter { needed.contains($0.name) }
    let sources =
      specs + (katas + builtOn).map(repository.referencePath) + katas.map(repository.stubPath)
    let texts = try sources.map { try repository.text($0) }
    func isImported(_ module: String) -> Bool {
      texts.contains { "\n\($0)".contains("\nimport \(module)\n") }
    }
    needsImages = isImported("Images")
    let own = Set(builtOn.map(\.module))
    imported = Module.allCases.filter { !own.contains($0) && isImported($0.rawValue) }
  }

  /// The names of the katas whose references declare the types that `katas` use, directly or
  /// indirectly.
  private static func references(for katas: [Kata], in repository: Repository) throws -> Set<String>
  {
    var names: Set<String> = []
    var open = katas
    while let kata = open.popLast() {
      for type in kata.buildsOn {
        let words = type.split(separator: ".").map(String.init)
        let module = words.count > 1 ? Module(rawValue: words[0]) : kata.module
        let declaration = try Regex("\\b(class|struct|enum|protocol) \(words.last ?? "")\\b")
        let declaring = try Catalogue.katas.first {
          try $0.module == module
            && repository.text(repository.referencePath(of: $0)).contains(declaration)
        }
        guard let declaring else {
          throw KataError(
            "\(kata.descriptionPath): no reference declares '\(type)', which the kata's 'builds on' names.",
            .environment)
        }
        if names.insert(declaring.name).inserted { open.append(declaring) }
      }
    }
    return names
  }
}
