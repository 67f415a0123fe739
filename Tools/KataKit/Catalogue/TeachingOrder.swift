import Foundation

/// The order in which the katas are taught: a file that lists their names below those of their
/// modules.
package struct TeachingOrder {
  /// The file, relative to the root of the clone.
  package static let path = "Tests/Order.txt"

  /// The names of the katas, each with its module.
  package let entries: [(name: String, module: Module)]

  /// Reads the file of a clone.
  ///
  /// - Throws: A ``KataError`` with the line that doesn't have the form, or with a kata that isn't
  ///   listed.
  package init(in repository: Repository) throws {
    try self.init(try repository.text(Self.path))
    for module in Module.allCases {
      let folders = try? FileManager.default.contentsOfDirectory(
        atPath: repository.url(module.gallery).path)
      for name in (folders ?? []).sorted() {
        let path = "\(Kata.folder(of: name, in: module))/\(KataFile.name)"
        guard repository.exists(path) else { continue }
        guard !entries.contains(where: { $0.name == name && $0.module == module }) else { continue }
        throw KataError(
          """
          There is a '\(path)', and \(Self.path) doesn't list '\(name)' below \
          '\(module.rawValue)'; add it where it is taught.
          """, .environment)
      }
    }
  }

  init(_ text: String) throws {
    var entries: [(name: String, module: Module)] = []
    var current: Module?
    for (index, line) in text.linesOfAnyEnding.enumerated() {
      func fault(_ sentence: String) -> KataError {
        KataError("\(Self.path):\(index + 1): \(sentence).", .environment)
      }
      let word = line.trimmingCharacters(in: .whitespaces)
      if word.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("  ") {
        guard let module = current else { throw fault("a module must stand above its katas") }
        guard !entries.contains(where: { $0.name == word }) else {
          throw fault("'\(word)' is listed a second time")
        }
        entries.append((word, module))
      } else {
        guard let module = Module(rawValue: word) else {
          let names = Module.allCases.map(\.rawValue).joined(separator: ", ")
          throw fault("'\(word)' is no module; they are \(names), and a kata stands two spaces in")
        }
        current = module
      }
    }
    self.entries = entries
  }
}
