import Foundation
import KataKit

/// What participants have handed in: the files that `kata export` has written, from a folder and those
/// below it.
///
/// Only files that end in `.json` are looked at, and no hidden ones. Whatever else is among them is
/// passed over or reported, and keeps nobody's progress from being read.
struct CollectedProgress {
  /// Somebody's progress.
  struct Participant {
    let name: String
    /// How many files it was put together from.
    var files = 1
    var progress: KataKit.Progress
  }

  /// A file that isn't read, with a sentence that says why.
  struct Refusal {
    let path: String
    let sentence: String
  }

  /// More than this, in bytes, and it's nobody's progress.
  static let sizeLimit = 1 << 20

  /// Everybody, in the order of the names.
  private(set) var participants: [Participant] = []
  private(set) var refusals: [Refusal] = []

  /// Reads the files in `folder`; throws where there is no such folder.
  ///
  /// Files with the same name in them are the same participant's, and put together as `kata import`
  /// does: the larger numbers and the later verdicts hold, so that an old file does no harm. A file
  /// without a name goes by its own.
  init(in folder: String) throws {
    let root = URL(filePath: folder)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder),
      isFolder.boolValue, FileManager.default.isReadableFile(atPath: root.path),
      let names = FileManager.default.enumerator(atPath: root.path)
    else {
      throw KataError(
        "'\(folder)' isn't a folder that can be read; name the one with the exported files.", .usage
      )
    }
    var byName: [String: Participant] = [:]
    let paths = names.compactMap { $0 as? String }.filter(Self.isOffered).sorted()
    for path in paths {
      let file = root.appending(path: path).path
      guard let size = Self.sizeOfFile(file) else { continue }
      do {
        guard size <= Self.sizeLimit else {
          throw KataError("It has \(size >> 20) MB or more, and nobody's progress has.", .usage)
        }
        let shared = try Self.read(file)
        let name = shared.name.flatMap { Self.isVisible($0) ? $0 : nil } ?? String(path.dropLast(5))
        if byName[name] != nil {
          byName[name]?.progress.merge(shared.progress)
          byName[name]?.files += 1
        } else {
          byName[name] = Participant(name: name, progress: shared.progress)
        }
      } catch {
        refusals.append(Refusal(path: path, sentence: "\(error)"))
      }
    }
    participants = byName.values.sorted {
      ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name)
    }
  }

  private static func isOffered(_ path: String) -> Bool {
    path.lowercased().hasSuffix(".json")
      && !path.split(separator: "/").contains { $0.hasPrefix(".") }
  }

  /// A file's size in bytes; nil where it's a folder, a pipe or a device, of which nothing is read.
  private static func sizeOfFile(_ path: String) -> Int? {
    var status = stat()
    // What can't be looked at is left for reading to report.
    guard stat(path, &status) == 0 else { return 0 }
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  private static func read(_ path: String) throws -> SharedProgress {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw KataError("It can't be read; look whose it is.", .usage)
    }
    do {
      return try JSONDecoder().decode(SharedProgress.self, from: data)
    } catch is KataKit.Progress.Newer {
      throw KataError("It was written by a newer version; update this clone.", .usage)
    } catch {
      throw KataError("It isn't what 'make export' writes, or it's damaged.", .usage)
    }
  }

  /// Whether anything of a name can be seen.
  private static func isVisible(_ name: String) -> Bool {
    name.unicodeScalars.contains { scalar in
      let category = scalar.properties.generalCategory
      return ![.format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator].contains(
        category)
        && !scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
