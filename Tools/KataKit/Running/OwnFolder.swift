import Foundation

/// Temporary folders, each named after the process that made it.
enum OwnFolder {
  /// Calls `body` with a folder that doesn't exist yet, and removes it afterwards, also if the
  /// command is interrupted.
  static func with<Result>(
    in parent: URL, prefix: String = "", _ body: (URL) throws -> Result
  ) rethrows -> Result {
    let folder = parent.appending(path: "\(prefix)\(getpid())-\(UUID().uuidString)")
    let clearAway: @Sendable () -> Void = { try? FileManager.default.removeItem(at: folder) }
    defer { clearAway() }
    return try ProcessRegistry.withTerminationCleanup(clearAway) { try body(folder) }
  }

  /// Removes the folders of killed processes; calls `onEach` before.
  static func removeLeftovers(
    in parent: URL, prefix: String = "", onEach: (URL) -> Void = { _ in }
  ) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names
    where name.hasPrefix(prefix) && isOfExitedProcess(name.dropFirst(prefix.count)) {
      onEach(parent.appending(path: name))
      try? FileManager.default.removeItem(at: parent.appending(path: name))
    }
  }

  /// Whether a name begins with the number of a process that has exited.
  private static func isOfExitedProcess(_ name: Substring) -> Bool {
    guard let owner = name.split(separator: "-").first.flatMap({ Int32($0) }) else { return false }
    return kill(owner, 0) != 0 && errno == ESRCH
  }
}

extension Repository {
  /// Where answers are compiled: each in a folder of its own, relative to the root.
  package static let answers = "\(SpecBuild.folder)/answers"

  /// Calls `body` with a folder for the files of one or more answers, and removes it afterwards.
  package func withFolderForAnswers<Result>(_ body: (URL) throws -> Result) rethrows -> Result {
    try OwnFolder.with(in: url(Self.answers), body)
  }

  /// Removes the folders of killed commands, and kills their remaining processes.
  package func removeLeftovers() {
    OwnFolder.removeLeftovers(in: url(Self.answers)) {
      // A run is recognised by the folder of its library.
      OrphanProcesses.stop(markedBy: "\($0.path)/")
    }
    SpecRunner.removeLeftovers()
  }
}
