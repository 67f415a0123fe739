import Foundation

/// The sources that decide about verdicts, each with a mark that changes when the file does.
///
/// A snapshot is taken for each judging. It says whether the specs' program is up to date, and
/// afterwards whether an answer has modified the files that judge it.
package struct WorkspaceSnapshot: Sendable {
  /// The marks by path, relative to the root.
  let marks: [String: FileStamp]

  /// Records the manifest and all sources below `Modules`, `Tests` and `Tools`.
  package init(of repository: Repository) {
    var marks: [String: FileStamp] = [:]
    marks["Package.swift"] = FileStamp(repository.url("Package.swift").path)
    let root = repository.root.path
    for folder in ["Modules", "Tests", "Tools"] {
      let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)")
      for case let name as String in names ?? .init() where Self.isSource(name) {
        marks["\(folder)/\(name)"] = FileStamp("\(root)/\(folder)/\(name)")
      }
    }
    self.marks = marks
  }

  private static func isSource(_ name: String) -> Bool {
    [".swift", ".c", ".h", ".modulemap"].contains { name.hasSuffix($0) } && !name.hasPrefix(".")
      && !name.contains("/.")
  }

  /// The part that a module's specs are built from.
  func part(for module: Module) -> [String: FileStamp] {
    let folders =
      [
        Toolchain.hostName, "KataHooks", "KataPictures", "KataPoints", "KataSanitizer",
        "KataTesting",
        "KataThreads",
        "QuiescenceTesting",
      ].map { "Tools/\($0)/" } + ["\(module.specs)/"]
      + module.imports.map { "Modules/\($0)/" }
    return marks.filter { path, _ in
      path == "Package.swift" || folders.contains { path.hasPrefix($0) }
        || (path.hasPrefix("\(module.gallery)/") && path.hasSuffix("/Stub.swift"))
    }
  }

  /// The changes to the sources since this snapshot: a sentence for each of the first few.
  func changes(in repository: Repository) -> [String] {
    let now = WorkspaceSnapshot(of: repository).marks
    let changed = marks.filter { now[$0.key] != $0.value }.keys.sorted()
    let new = now.keys.filter { marks[$0] == nil }.sorted()
    let end = "this run counts for nothing. Unless that was you, your answer did it:"
    return changed.prefix(3).map {
      """
      \($0) was \(now[$0] == nil ? "deleted" : "changed") while the spec ran, so \(end) restore it \
      with 'git checkout -- \($0)'.
      """
    }
      + new.prefix(3).map { "\($0) appeared while the spec ran, so \(end) remove it." }
  }
}
