import Foundation
import KataKit

/// An archive of a folder, made with the system's `tar`.
///
/// The same files give the same contents on any machine and at any time: they are sorted by path,
/// and have no owner and a fixed date.
struct Archive {
  /// The date of all files: 2001-01-01.
  private static let day = Date(timeIntervalSinceReferenceDate: 0)

  let repository: Repository

  /// Writes `files` below `folder` of the clone.
  ///
  /// Throws if one of them doesn't exist or there is no room for it.
  func lay(_ files: [String: Handout.Item], in folder: String) throws {
    for (path, item) in files {
      let place = "\(folder)/\(path)"
      switch item {
      case .text(let text): try repository.write(text, to: place)
      case .copy(let source): try copy(source, to: place)
      }
      try? FileManager.default.setAttributes(
        [.modificationDate: Self.day, .posixPermissions: 0o644],
        ofItemAtPath: repository.url(place).path)
    }
  }

  private func copy(_ source: String, to place: String) throws {
    let file = repository.url(place)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: repository.url(source), to: file)
    } catch {
      throw KataError.cannotWrite(place, error)
    }
  }

  /// Packs the files below `folder`, with that folder's name, into the archive `output`.
  ///
  /// An existing archive is replaced atomically.
  func pack(_ files: [String: Handout.Item], in folder: String, to output: OutputFile) throws {
    guard let tar = Toolchain.find("tar") else {
      throw KataError(
        "There is no 'tar' on the PATH to make the archive; install it.", .environment)
    }
    let room = repository.url(folder).deletingLastPathComponent()
    let name = repository.url(folder).lastPathComponent
    let list = room.appending(path: "files")
    let draft = room.appending(path: "archive.tar.gz")
    let paths = files.keys.sorted().map { "\(name)/\($0)\n" }.joined()
    do {
      try Data(paths.utf8).write(to: list)
    } catch {
      throw KataError.cannotWrite(folder, error)
    }
    let process = ChildProcess(
      tar, Self.options + ["-czf", draft.path, "-C", room.path, "-T", list.path],
      environment: Self.environment, in: repository.root)
    try process.start()
    guard process.waitForEnd() == .exited(0) else {
      let cause =
        process.output.split(separator: "\n").last.map(String.init) ?? "it printed nothing"
      throw DiskSpace.isShort(of: DiskSpace.neededByRun, in: room)
        ? .diskFull : KataError("'tar' can't make the archive: \(cause)", .environment)
    }
    try output.take(draft)
  }
}
