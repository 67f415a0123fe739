import Foundation

/// What a run of a spec must leave as it was: the learner's files, and all that judges them.
///
/// An answer runs with the rights of whoever wrote it, and a slip in it can delete or overwrite
/// whatever they can.
package struct ProtectedFiles: Sendable {
  /// What a run has done to them.
  package struct Changes: Sendable {
    /// What the learner should know, a sentence for each.
    package var notes: [String] = []
    /// Whether something has changed that decides about the verdict.
    var invalidatesVerdict = false

    package init() {}
  }

  private let repository: Repository
  private let kata: Kata
  /// The learner's own files, and what stood in them.
  private let own: [String: Data]
  /// A second name of the answer's file, which outlives the first.
  private let spareName: URL
  /// The files that no answer has a right to change.
  private let snapshot: WorkspaceSnapshot

  /// Takes down how the learner's files are now, before `kata` is run.
  ///
  /// Somebody must call ``compare()`` or ``leave()`` in the end.
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

  /// Puts back what is gone of the learner's files, and tells what was done to the rest.
  func compare() -> Changes {
    var changes = Changes()
    for lost in leave() {
      changes.notes.append(
        """
        \(lost) was deleted while the spec ran, and is back as it was. Unless that was you, look for \
        what deletes files in your answer.
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

  /// Puts back what is gone of the learner's files.
  ///
  /// A file that is there, or comes meanwhile, is left alone: an editor may have saved it.
  ///
  /// - Returns: The paths of the files that were put back, in order.
  @discardableResult
  func leave() -> [String] {
    defer { unlink(spareName.path) }
    return own.filter { path, data in
      guard !repository.exists(path) else { return false }
      let file = repository.url(path)
      try? FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      // The same file again, so that nobody who watches it takes it for a new one.
      if path == repository.learnerPath(of: kata), link(spareName.path, file.path) == 0 {
        return true
      }
      return (try? data.write(to: file, options: .withoutOverwriting)) != nil
    }.keys.sorted()
  }
}

extension Verdict {
  /// Takes in what the run has done to other files: a run that changed what judges it is no
  /// pass.
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
