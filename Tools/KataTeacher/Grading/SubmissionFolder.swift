import Foundation
import KataKit

/// Where the answers are in a folder, and how they are laid out.
struct SubmissionFolder: Sendable {
  let layout: Submission.Layout
  /// The Swift files, by their paths relative to the folder that contains them.
  let files: [String: URL]

  /// Searches for answers in a folder, and in its only subfolder, which archives often have.
  init(_ folder: URL) {
    var folder = folder
    for _ in 0..<4 {
      if let found = SubmissionFolder(at: folder) {
        self = found
        return
      }
      let inner = Self.folders(in: folder)
      guard inner.count == 1 else { break }
      folder = inner[0]
    }
    self.init(layout: .nothing, files: [:])
  }

  private init(layout: Submission.Layout, files: [String: URL]) {
    self.layout = layout
    self.files = files
  }

  /// The answers directly in a folder; nil if there are none.
  init?(at folder: URL) {
    let katas = folder.appending(path: "Katas")
    if let files = Self.filesOfModules(in: katas) {
      self.init(layout: .clone, files: files)
    } else if let files = Self.filesOfModules(in: folder) {
      self.init(layout: .modules, files: files)
    } else {
      let names = Set(Catalogue.katas.map { "\($0.name).swift" })
      let places = [folder, katas].map { Self.swiftFiles(in: $0) }
      guard let files = places.first(where: { !names.isDisjoint(with: $0.keys) }) else {
        return nil
      }
      self.init(layout: .flat, files: files)
    }
  }

  /// The files in module folders; nil if none of these contains a Swift file.
  private static func filesOfModules(in folder: URL) -> [String: URL]? {
    var files: [String: URL] = [:]
    for module in Module.allCases {
      let found = swiftFiles(in: folder.appending(path: module.rawValue), isDeep: true)
      for (path, url) in found { files["\(module.rawValue)/\(path)"] = url }
    }
    return files.isEmpty ? nil : files
  }

  /// The Swift files in a folder, by their relative paths; links to folders aren't followed.
  private static func swiftFiles(in folder: URL, isDeep: Bool = false) -> [String: URL] {
    let names =
      isDeep
      ? FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      : try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    var files: [String: URL] = [:]
    for name in names ?? []
    where name.hasSuffix(".swift") && !name.hasPrefix(".") && !name.contains("/.") {
      files[name] = folder.appending(path: name)
    }
    return files
  }

  /// The subfolders that could contain a submission, by name.
  static func folders(in folder: URL) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { !$0.hasPrefix(".") && $0 != "__MACOSX" }.sorted()
      .map { folder.appending(path: $0) }.filter(isFolder)
  }

  static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}

extension Submission {
  /// The submissions in folders, each of which is one or contains many, by name.
  ///
  /// Paths are relative to the current folder. The folder `results` is never a submission. Throws
  /// if a folder doesn't exist, or if two submissions have the same name.
  static func all(in paths: [String], except results: URL? = nil) throws -> [Submission] {
    var found: [String: (URL, SubmissionFolder)] = [:]
    for path in paths {
      let folder = URL(filePath: path).standardizedFileURL
      guard SubmissionFolder.isFolder(folder) else {
        throw KataError(
          "There is no folder '\(path)'; name a folder of answers, or one that holds many.", .usage)
      }
      for (url, answers) in submissions(in: folder)
      where url.standardizedFileURL.path != results?.standardizedFileURL.path {
        let name = url.lastPathComponent
        if let other = found[name] {
          throw KataError(
            "Two submissions are called '\(name)': \(other.0.path) and \(url.path); rename one.",
            .usage)
        }
        found[name] = (url, answers)
      }
    }
    return found.sorted { $0.key < $1.key }.map { Submission(participant: $0.key, $0.value.1) }
  }

  private static func submissions(in folder: URL) -> [(URL, SubmissionFolder)] {
    if let own = SubmissionFolder(at: folder) { return [(folder, own)] }
    let children = SubmissionFolder.folders(in: folder)
    return (children.isEmpty ? [folder] : children).map { ($0, SubmissionFolder($0)) }
  }
}
