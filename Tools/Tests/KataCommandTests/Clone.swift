import Foundation
import KataTesting
import Synchronization
import Testing

@testable import KataKit

/// A copy of the repository in a folder of its own, with the built `kata` to run in it.
final class Clone: Sendable {
  struct Output {
    let code: Int32
    let standardOutput: String
    let standardError: String

    func decoded<Value: Decodable>(_: Value.Type) throws -> Value {
      try JSONDecoder().decode(Value.self, from: Data(standardOutput.utf8))
    }
  }

  /// A command that was started.
  struct Run {
    let process: Process
    let printed: URL
    let complained: URL

    /// Sends a signal to the command, or to its whole group as Ctrl-C does.
    func interrupt(by signal: Int32 = SIGINT, group: Bool = false) {
      kill(group ? -process.processIdentifier : process.processIdentifier, signal)
    }

    /// What it has printed so far.
    var text: String { (try? String(contentsOf: printed, encoding: .utf8)) ?? "" }

    /// Waits for its end.
    func output() throws -> Output {
      process.waitUntilExit()
      return Output(
        code: process.terminationStatus,
        standardOutput: try String(contentsOf: printed, encoding: .utf8),
        standardError: try String(contentsOf: complained, encoding: .utf8))
    }
  }

  let root: URL
  let repository: Repository
  /// What isn't part of the clone, beside it: what commands print, and their temporary files.
  let sandbox: URL

  /// Copies the repository; the folder's name has a space and an emoji in it, as people's have.
  ///
  /// It lies in `folder`, or where temporary files do. Where `judged` names katas, it has the specs of no others, so
  /// that those of a module are built in less time.
  init(
    in folder: URL = FileManager.default.temporaryDirectory, judged: [String] = []
  ) throws {
    let id = UUID().uuidString
    root = folder.appending(path: "katas clone 🧵 \(id)")
    // The toolchain's own driver crashes where the folder of temporary files isn't named in ASCII.
    sandbox = FileManager.default.temporaryDirectory.appending(path: "katas sandbox \(id)")
    repository = Repository(root: root)
    for folder in [root, sandbox.appending(path: "temporary")] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    for name in try Self.names where name != "Katas" {
      try FileManager.default.copyItem(
        at: Clone.source.appending(path: name), to: root.appending(path: name))
    }
    try begin()
    for kata in Catalogue.katas where !judged.isEmpty && !judged.contains(kata.name) {
      for file in try repository.specSources(of: kata) where file.hasPrefix("\(kata.specFolder)/") {
        try FileManager.default.removeItem(at: repository.url(file))
      }
    }
  }

  /// What of a repository is in a clone, by its name in the root.
  private static var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: Clone.source.path).filter {
        ![".build", ".git"].contains($0) && !$0.hasPrefix(ProgressFile.path)
      }
    }
  }

  /// Puts all stubs where answers go, and removes what else lies there or in the root.
  private func begin() throws {
    let own = Set(try Self.names).subtracting(["Katas"])
    for name in try FileManager.default.contentsOfDirectory(atPath: root.path)
    where !own.contains(name) {
      try FileManager.default.removeItem(at: root.appending(path: name))
    }
    for kata in Catalogue.katas {
      try repository.write(
        try repository.text(repository.stubPath(of: kata)), to: repository.learnerPath(of: kata))
    }
  }

  deinit { remove() }

  private func remove() {
    for folder in [root, sandbox] { try? FileManager.default.removeItem(at: folder) }
  }

  // MARK: - Clones for many tests

  /// The clone of ``SharedCloneTests``, so that the first builds are made once.
  static func shared() throws -> Clone { try sharedClone.get() }

  private static let sharedClone = Result {
    try Clone.kept(judged: ["SerialLog", "BackgroundWork"])
  }

  /// The clone of ``UnbuiltCloneTests``, as a new one: whatever tests before have left in it is gone.
  static func unbuilt() throws -> Clone {
    let clone = try unbuiltClone.get()
    try clone.begin()
    return clone
  }

  private static let unbuiltClone = Result { try Clone.kept() }

  /// A clone that is gone with the process.
  static func kept(judged: [String] = []) throws -> Clone {
    _ = removal
    let clone = try Clone(judged: judged)
    keptClones.withLock { $0.append(clone) }
    return clone
  }

  private static let keptClones = Mutex<[Clone]>([])
  private static let removal: Void = {
    atexit { Clone.keptClones.withLock { $0.forEach { $0.remove() } } }
  }()

  // MARK: - What is left

  /// The processes that commands in this clone have started, the commands among them.
  ///
  /// None where the system doesn't show other processes' environments.
  var processes: [Int32] {
    // What a submission runs is given no variable of ours, but its home lies in the clone.
    let mark = Data(root.path.utf8)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { process in
      let file = FileHandle(forReadingAtPath: "/proc/\(process)/environ")
      defer { try? file?.close() }
      return (try? file?.readToEnd())?.range(of: mark) != nil
    }
  }

  /// Expects that nothing runs any more and no temporary files of the runner's are left.
  func expectNothingLeft(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let left = processes
    for process in left {
      let name = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
      #expect(
        hasEnded(process), "Still there: \(name ?? "\(process)")", sourceLocation: sourceLocation)
    }
    let temporary = try FileManager.default.contentsOfDirectory(
      atPath: sandbox.appending(path: "temporary").path)
    #expect(!temporary.contains { $0.hasPrefix("katas-") }, sourceLocation: sourceLocation)
    let answers = try? FileManager.default.contentsOfDirectory(
      atPath: repository.url(Repository.answers).path)
    #expect((answers ?? []).isEmpty, sourceLocation: sourceLocation)
  }

  /// The repository that these tests were built from.
  static let source = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder in which SwiftPM has put what it built.
  static var products: URL {
    #if canImport(Darwin)
      // The bundle is loaded by a program of SwiftPM's, which lies elsewhere.
      var place = Dl_info()
      guard dladdr(#dsohandle, &place) != 0, let name = place.dli_fname else {
        return Bundle.main.bundleURL.deletingLastPathComponent()
      }
      var folder = URL(filePath: String(cString: name)).deletingLastPathComponent()
      while folder.pathExtension != "xctest", folder.path != "/" {
        folder.deleteLastPathComponent()
      }
      return folder.deletingLastPathComponent()
    #else
      return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
  }
}
