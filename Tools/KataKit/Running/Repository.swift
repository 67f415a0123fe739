import Foundation

/// A clone of the repository, and where things are in it.
package struct Repository: Equatable, Sendable {
  /// The folder that holds `Package.swift`.
  package let root: URL

  package init(root: URL) {
    self.root = root.path.withoutLinks.map { URL(filePath: $0) } ?? root.standardizedFileURL
  }

  /// The clone that contains `folder`.
  package static func containing(_ folder: URL) throws -> Repository {
    var candidate = Repository(root: folder).root
    while true {
      let repository = Repository(root: candidate)
      if repository.exists("Package.swift"), repository.exists(TeachingOrder.path) {
        return repository
      }
      guard candidate.path != "/" else {
        throw KataError(
          "This folder isn't inside a clone of Concurrency Katas; change into one and try again.",
          .environment)
      }
      candidate = candidate.deletingLastPathComponent().standardizedFileURL
    }
  }

  // MARK: - Where a kata's files are, relative to the root

  /// The documentation's site, as `make docs` builds it.
  package static let site = ".build/docs/site"

  /// The file that identifies a handout and lists its contents.
  package static let handoutMark = "Handout.json"

  /// The file that the learner edits.
  package func learnerPath(of kata: Kata) -> String { "Katas/\(kata.file)" }

  /// The reference implementation.
  package func referencePath(of kata: Kata) -> String { "Modules/\(kata.file)" }

  /// The original stub.
  package func stubPath(of kata: Kata) -> String { "\(answersPath(of: kata))/Stub.swift" }

  /// The folder with the other answers to a kata.
  package func answersPath(of kata: Kata) -> String { "\(kata.folder)/Answers" }

  /// The spec, or the first file of a long one.
  package func specPath(of kata: Kata) -> String {
    "\(kata.specFolder)/\(kata.name)Tests.swift"
  }

  /// The files with the tests of a kata, in the order in which they run.
  ///
  /// A long spec has more files, named after their subjects: `PhotoStoreTestsNotices.swift`.
  package func specPaths(of kata: Kata) throws -> [String] {
    let beginning = specPath(of: kata).dropLast(".swift".count)
    return try swiftFiles(in: kata.specFolder).filter { $0.hasPrefix(beginning) }
  }

  /// The text of all these files.
  package func spec(of kata: Kata) throws -> String {
    try specPaths(of: kata).map(text).joined(separator: "\n")
  }

  /// The names of all tests of a kata, in the order in which they run.
  package func testNames(of kata: Kata) throws -> [String] {
    try spec(of: kata).matches(of: #/func `([^`]+)`\(/#).map { String($0.1) }
  }

  /// The files that the specs of a module are compiled from.
  package func specSources(of module: Module) throws -> [String] {
    try swiftFiles(in: module.specs)
  }

  /// The files that the spec of a kata is compiled from: its own, and those that the specs of its
  /// module share.
  package func specSources(of kata: Kata) throws -> [String] {
    try specSources(of: kata.module).filter { path in
      path.hasPrefix("\(kata.specFolder)/")
        || !path.dropFirst(kata.module.specs.count + 1).contains("/")
    }
  }

  /// The same files, relative to the folder of its module's specs.
  func specFiles(of kata: Kata) throws -> [String] {
    try specSources(of: kata).map { String($0.dropFirst(kata.module.specs.count + 1)) }
  }

  /// The files of a module's specs, relative to their folder.
  func specFiles(of module: Module) throws -> [String] {
    try specSources(of: module).map { String($0.dropFirst(module.specs.count + 1)) }
  }

  // MARK: - Files

  package func url(_ path: String) -> URL {
    path.hasPrefix("/") ? URL(filePath: path) : root.appending(path: path)
  }

  package func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url(path).path)
  }

  /// The text of a file of the clone.
  package func text(_ path: String) throws -> String {
    do {
      return try String(contentsOf: url(path), encoding: .utf8)
    } catch {
      throw KataError.cannotRead(path)
    }
  }

  /// The Swift files below a folder of the clone, by path.
  func swiftFiles(in folder: String) throws -> [String] {
    try files(below: folder).filter { $0.hasSuffix(".swift") }
  }

  /// The paths of all files below a folder, without hidden ones, sorted.
  package func files(below folder: String) throws -> [String] {
    guard let all = FileManager.default.enumerator(atPath: url(folder).path) else {
      throw KataError(
        "\(folder) can't be read; restore it with 'git checkout -- \(folder)'.", .environment)
    }
    return all.compactMap { $0 as? String }.filter { path in
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(
        atPath: url("\(folder)/\(path)").path, isDirectory: &isFolder)
      return isThere && !isFolder.boolValue
        && !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }.map { "\(folder)/\($0)" }.sorted()
  }

  /// Writes a file of the clone atomically, so that no reader sees half of it.
  package func write(_ text: String, to path: String) throws {
    try write(Data(text.utf8), to: path)
  }

  /// Writes a file of the clone atomically, so that no reader sees half of it.
  package func write(_ data: Data, to path: String) throws {
    try url(path).replaceContent(with: data, name: path)
  }

  /// A path relative to the repository, for people to read.
  ///
  /// An answer that was copied for judging, or a source in a package of the runner, has the path of
  /// the original. A path outside the repository is relative to the current folder if it's inside
  /// that.
  package func short(_ path: String) -> String {
    if path.hasPrefix(root.path + "/") { return withoutRoots(path) }
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// A text in which this clone's paths are short.
  package func withoutRoots(_ text: String) -> String {
    text.replacing(root.path + "/", with: "")
      .replacing(Self.rootOfCopies, with: "")
  }

  private static var rootOfCopies: Regex<Substring> {
    #/\.build\/(?:specs\/answers\/[0-9]+-[0-9A-F-]+|packages\/[A-Za-z-]+)\//#
  }
}

extension Kata {
  /// The kata's file below `Modules` and `Katas`.
  package var file: String { "\(module.rawValue)/\(name).swift" }

  /// The folder of the kata's spec, relative to the root.
  package var specFolder: String { "\(module.specs)/\(name)" }

  /// The folder of other answers to the kata and of its description, relative to the root.
  package var folder: String { Self.folder(of: name, in: module) }

  /// The file that describes the kata, relative to the root.
  package var descriptionPath: String { "\(folder)/\(KataFile.name)" }

  static func folder(of name: String, in module: Module) -> String {
    "\(module.gallery)/\(name)"
  }

  /// The name of the kata's suite, as the test binary's filter matches it.
  var suite: String { "\(module.rawValue)Tests.\(name)Tests" }
}

extension String {
  /// The path of a file as the compiler gives it, without symbolic links; nil if there is no file.
  ///
  /// `URL` would remove "/private" on a Mac.
  var withoutLinks: String? {
    let name = realpath(self, nil)
    defer { free(name) }
    return name.map { String(cString: $0) }
  }
}

extension URL {
  /// Replaces a file atomically, and creates its folders: a reader finds either the old or the new
  /// contents, even after a crash of the system.
  ///
  /// If the file is a symbolic link, its target is replaced. Throws a ``KataError`` about `name` if
  /// the file can't be written; it's unchanged then.
  package func replaceContent(with data: Data, name: String) throws {
    let file = resolvingSymlinksInPath()
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file, options: .atomic)
    } catch {
      throw KataError.cannotWrite(name, error)
    }
  }
}
