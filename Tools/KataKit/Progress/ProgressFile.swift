import Foundation

/// Reads and writes the progress of a clone: a small file in it, which git ignores.
///
/// Any number of runners may use it at once; each sees what the others have written. A copy of the
/// last written state is beside it, from which a damaged file is restored.
package struct ProgressFile: Sendable {
  static let path = ".kata-progress.json"
  static let backupPath = "\(path).backup"

  let repository: Repository
  /// How long an update waits for another runner's update, in seconds.
  var timeout = 10.0

  package init(repository: Repository) {
    self.repository = repository
  }

  /// The progress, and a sentence for the learner if the file had to be set aside.
  package func read() -> (progress: Progress, warning: String?) {
    switch contents(of: Self.path) {
    case .absent: (Progress(), nil)
    case .sound(let progress): (progress, nil)
    case .unreadable: (Progress(), Self.unreadable)
    // Under the lock: of two concurrent repairs, the second would set aside what the first has
    // repaired.
    case .damaged, .newer: (try? locked { mend() }) ?? (Progress(), Self.unreadable)
    }
  }

  /// Changes the progress as it is on disk now.
  ///
  /// Returns a sentence for the learner if the file had to be set aside.
  @discardableResult
  package func update(_ change: (inout Progress) -> Void) throws -> String? {
    try locked {
      let (before, warning) = mend()
      switch contents(of: Self.path) {
      case .absent, .sound: break
      // Writing would destroy what a person can still read.
      case .unreadable, .damaged, .newer:
        throw KataError(warning ?? Self.unreadable, .environment)
      }
      var progress = before
      change(&progress)
      if progress != before { try write(progress) }
      return warning
    }
  }

  // MARK: - The file and its copy

  private enum Contents {
    case absent, unreadable, damaged, newer
    case sound(Progress)
  }

  private static let unreadable =
    "\(path) can't be read; check that it's a file, and yours, or move it away."

  private func contents(of path: String) -> Contents {
    guard repository.exists(path) else { return .absent }
    guard let data = try? Data(contentsOf: repository.url(path)) else { return .unreadable }
    do {
      return .sound(try JSONDecoder().decode(Progress.self, from: data))
    } catch is Progress.Newer {
      return .newer
    } catch {
      return .damaged
    }
  }

  private func locked<Result>(_ body: () throws -> Result) throws -> Result {
    try FileLock.whileHolding(
      repository.url("\(Self.path).lock").path, timeout: timeout, body)
  }

  /// The progress after an invalid file was set aside and replaced by the copy.
  private func mend() -> (Progress, String?) {
    let cause: String
    switch contents(of: Self.path) {
    case .absent: return (Progress(), nil)
    case .unreadable: return (Progress(), Self.unreadable)
    case .sound(let progress): return (progress, nil)
    case .damaged: cause = "is damaged"
    case .newer: cause = "was written by a newer version"
    }
    guard let aside = setAside() else {
      return (Progress(), "\(Self.path) \(cause), and it can't be set aside; move it away.")
    }
    let start = "\(Self.path) \(cause); it was set aside as \(aside)."
    guard case .sound(let copy) = contents(of: Self.backupPath) else {
      return (Progress(), "\(start) 'make run KATA=all' rebuilds your progress.")
    }
    try? write(copy)
    return (copy, "\(start) Your progress was restored from the last copy.")
  }

  /// Writes the progress, and then its copy, each in one step.
  private func write(_ progress: Progress) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let text = String(decoding: try encoder.encode(progress), as: UTF8.self) + "\n"
    try repository.write(text, to: Self.path)
    // Only an aid: the progress itself is written.
    try? repository.write(text, to: Self.backupPath)
  }

  private func setAside() -> String? {
    for number in 1... {
      let aside = "\(Self.path).\(number)"
      if repository.exists(aside) { continue }
      let moved: Void? = try? FileManager.default.moveItem(
        at: repository.url(Self.path), to: repository.url(aside))
      return moved == nil ? nil : aside
    }
    return nil
  }
}
