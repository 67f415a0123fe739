import Foundation
import KataKit
import KataPictures

/// The folders of the site's sources and of its complete catalogue.
struct SiteFolder {
  let repository: Repository
  /// The pages written by hand, relative to the root of the clone.
  static let written = "Docs/ConcurrencyKatas.docc"
  /// The complete catalogue, from which DocC builds the site.
  static let complete = ".build/docs/ConcurrencyKatas.docc"
  /// The catalogues of the modules' symbol documentation, one a module.
  static let modules = ".build/docs/modules"

  /// The hand-written pages.
  func pages() throws -> [HandWrittenPage] {
    try names(in: Self.written).filter { $0.hasSuffix(".md") }.map { file in
      HandWrittenPage(String(file.dropLast(3)), try repository.text("\(Self.written)/\(file)"))
    }
  }

  /// Replaces the complete catalogue, and copies the resources.
  func write(_ site: Site) throws {
    let files = FileManager.default
    let complete = repository.url(Self.complete)
    do {
      try? files.removeItem(at: complete)
      try files.createDirectory(at: complete, withIntermediateDirectories: true)
      for name in try names(in: Self.written) where !name.hasSuffix(".md") {
        try files.copyItem(
          at: repository.url("\(Self.written)/\(name)"), to: complete.appending(path: name))
      }
    } catch let error as KataError {
      throw error
    } catch {
      throw KataError.cannotWrite(Self.complete, error)
    }
    for (file, text) in site.pages { try repository.write(text, to: "\(Self.complete)/\(file)") }
    for (module, text) in site.modulePages {
      try write(text, of: module)
    }
    for picture in site.pictures {
      let path = "\(Self.complete)/Pictures/\(picture.file)"
      try repository.write(picture.drawing(.light), to: "\(path).svg")
      try repository.write(picture.drawing(.dark), to: "\(path)~dark.svg")
    }
  }

  /// Writes the catalogue of a module's symbol documentation, with the pictures that its page names.
  private func write(_ text: String, of module: Module) throws {
    let folder = "\(Self.modules)/\(module.rawValue).docc"
    try repository.write(text, to: "\(folder)/\(module.rawValue).md")
    for kind in ["icon", "card"] {
      let image = try repository.text("\(Self.written)/Resources/\(module.rawValue)-\(kind).svg")
      try repository.write(image, to: "\(folder)/\(module.libraryImages)-\(kind).svg")
    }
  }

  private func names(in folder: String) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: repository.url(folder).path)
        .filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw KataError(
        "\(folder) can't be read; restore it with 'git checkout -- \(folder)'.", .environment)
    }
  }
}
