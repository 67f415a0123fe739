import Foundation

/// A clone of the repository, and where things are in it.
public struct Repository: Sendable {
  /// The folder that holds `Package.swift`.
  public let root: URL

  public init(root: URL) {
    // By the name that the compiler gives it: standardizing alone takes "/private" away on a Mac.
    let name = realpath(root.path, nil)
    defer { free(name) }
    self.root = name.map { URL(filePath: String(cString: $0)) } ?? root.standardizedFileURL
  }

  /// The clone that `folder` lies in.
  public static func containing(_ folder: URL) throws -> Repository {
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

  /// The file that the learner edits.
  public func learnerPath(of kata: Kata) -> String { "Katas/\(kata.file)" }

  /// The reference implementation.
  public func referencePath(of kata: Kata) -> String { "Modules/\(kata.file)" }

  /// The stub as it was before anybody touched it.
  public func stubPath(of kata: Kata) -> String { "\(answersPath(of: kata))/Stub.swift" }

  /// The folder with the other answers to a kata.
  public func answersPath(of kata: Kata) -> String { "\(kata.folder)/Answers" }

  /// The spec.
  public func specPath(of kata: Kata) -> String {
    "\(kata.folder)/\(kata.name)Tests.swift"
  }

  /// The files that the specs of a module are compiled from.
  func specSources(of module: Module) throws -> [String] {
    try swiftFiles(in: module.specs).filter { !Self.isAnswer($0) }
  }

  /// The files that the spec of a kata is compiled from: its own, and those that its module's specs share.
  func specSources(of kata: Kata) throws -> [String] {
    try specSources(of: kata.module).filter { path in
      path.hasPrefix("\(kata.folder)/")
        || !path.dropFirst(kata.module.specs.count + 1).contains("/")
    }
  }

  /// Whether a file below `Tests` is an answer, which specs judge and aren't compiled with.
  static func isAnswer(_ path: String) -> Bool { path.contains("/Answers/") }

  // MARK: - Files

  public func url(_ path: String) -> URL {
    path.hasPrefix("/") ? URL(filePath: path) : root.appending(path: path)
  }

  public func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url(path).path)
  }

  /// The text of a file of the clone.
  public func text(_ path: String) throws -> String {
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

  /// Writes a file of the clone in one step, so that nobody ever sees half of it.
  public func write(_ text: String, to path: String) throws {
    try write(Data(text.utf8), to: path)
  }

  /// Writes a file of the clone in one step, so that nobody ever sees half of it.
  func write(_ data: Data, to path: String) throws {
    let file = url(path)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file, options: .atomic)
    } catch {
      throw KataError.cannotWrite(path, error)
    }
  }

  /// A path relative to the repository, for people to read; that of an answer which was
  /// put aside to be judged is the one by which people know it.
  public func short(_ path: String) -> String {
    path.hasPrefix(root.path + "/") ? withoutRoots(path) : path
  }

  /// A text in which this clone's paths are short.
  func withoutRoots(_ text: String) -> String {
    text.replacing(root.path + "/", with: "")
      .replacing(Self.rootOfAnswer, with: "")
  }

  private static var rootOfAnswer: Regex<Substring> {
    #/\.build\/specs\/answers\/[0-9]+-[0-9A-F-]+\//#
  }

  /// A new folder for what belongs to one answer, which whoever asks for it removes.
  func folderForAnswer() -> URL {
    url("\(BuiltAnswer.folder)/\(getpid())-\(UUID().uuidString)")
  }
}

extension Kata {
  /// The kata's file below `Modules` and `Katas`.
  public var file: String { "\(module.rawValue)/\(name).swift" }

  /// The folder of the kata's spec, of other answers and of all that is known of it, relative to the root.
  var folder: String { Self.folder(of: name, in: module) }

  /// The file that describes the kata, relative to the root.
  var descriptionPath: String { "\(folder)/\(KataFile.name)" }

  static func folder(of name: String, in module: Module) -> String {
    "\(module.specs)/\(name)"
  }

  /// The name of the kata's suite, as the test binary's filter matches it.
  var suite: String { "\(module.rawValue)Tests.\(name)Tests" }
}
