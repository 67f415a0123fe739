import Foundation

/// The files that a run of a spec must not change: the learner's files, and everything that judges
/// them.
///
/// An answer runs with its author's permissions, and a bug in it can delete or overwrite any file
/// that the author can.
package struct ProtectedFiles: Sendable {
  /// The changes that a run has made to them.
  package struct Changes: Sendable {
    /// What the learner should know, in a sentence each.
    package var notes: [String] = []
    /// Whether a file has changed that decides about the verdict.
    var invalidatesVerdict = false

    package init() {}
  }

  private let repository: Repository
  private let kata: Kata
  /// The learner's own files, with their contents.
  private let own: [String: Data]
  /// A hard link to the answer's file, which survives the deletion of the file.
  private let spareName: URL
  /// The files that no answer may change.
  private let snapshot: WorkspaceSnapshot

  /// Records the current state of the learner's files, before `kata` is run.
  ///
  /// Call ``compare()`` or ``restore()`` at the end.
  init(of kata: Kata, in repository: Repository, _ snapshot: WorkspaceSnapshot) {
    self.repository = repository
    self.kata = kata
    self.snapshot = snapshot
    var own: [String: Data] = [:]
    for path in Catalogue.katas.map(repository.learnerPath) + [ProgressFile.path] {
      own[path] = try? Data(contentsOf: repository.url(path))
    }
    self.own = own
    spareName = repository.url(".build/judged/.\(UUID().uuidString)")
    try? FileManager.default.createDirectory(
      at: spareName.deletingLastPathComponent(), withIntermediateDirectories: true)
    link(repository.url(repository.learnerPath(of: kata)).path, spareName.path)
  }

  /// Restores deleted files of the learner, and returns what was done to the others.
  func compare() -> Changes {
    var changes = Changes()
    for lost in restore() {
      changes.notes.append(
        """
        \(lost) was deleted while the spec ran, and has been restored. Unless that was you, look for \
        code in your answer that deletes files.
        """)
    }
    let path = repository.learnerPath(of: kata)
    if let text = own[path], let now = try? Data(contentsOf: repository.url(path)), now != text {
      let kept = ".build/judged/\(kata.file)"
      let isKept = (try? repository.write(text, to: kept)) != nil
      changes.notes.append(
        """
        \(path) was changed while the spec ran; this verdict is about the text \
        before\(isKept ? ", which is kept as \(kept)" : "").
        """)
    }
    let spoiling = snapshot.changes(in: repository)
    changes.notes += spoiling
    changes.invalidatesVerdict = !spoiling.isEmpty
    return changes
  }

  /// Restores deleted files of the learner.
  ///
  /// A file that exists, or appears meanwhile, is left alone: an editor may have saved it.
  ///
  /// - Returns: The paths of the restored files, in order.
  @discardableResult
  func restore() -> [String] {
    defer { unlink(spareName.path) }
    return own.filter { path, data in
      guard !repository.exists(path) else { return false }
      let file = repository.url(path)
      try? FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      // The same file again, so that a watcher doesn't take it for a new one.
      if path == repository.learnerPath(of: kata), link(spareName.path, file.path) == 0 {
        return true
      }
      return (try? data.write(to: file, options: .withoutOverwriting)) != nil
    }.keys.sorted()
  }
}

extension Verdict {
  /// Adds what the run has done to other files: a run that changed what judges it doesn't pass.
  func taking(_ changes: ProtectedFiles.Changes) -> Verdict {
    var verdict = self
    // A spec is run twice, and may do the same thing twice.
    verdict.notes += changes.notes.filter { !notes.contains($0) }
    if changes.invalidatesVerdict, [.passed, .racesNotChecked, .race].contains(kind) {
      verdict.kind = .failed
    }
    return verdict
  }
}
