import Foundation
import KataKit

/// The progress that participants have handed in: files that `kata export` has written, from a
/// folder and its subfolders.
///
/// Only files whose names end in `.json` are read, and no hidden ones. Any other file is ignored or
/// reported, and doesn't keep the rest from being read.
struct CollectedProgress {
  /// The progress of one participant.
  struct Participant {
    let name: String
    /// The number of files that it was merged from.
    var files = 1
    var progress: KataKit.Progress
  }

  /// A file that wasn't read, with a sentence that says why.
  struct Refusal {
    let path: String
    let sentence: String
  }

  /// A larger file, in bytes, can't be progress.
  static let sizeLimit = 1 << 20

  /// All participants, sorted by name.
  private(set) var participants: [Participant] = []
  private(set) var refusals: [Refusal] = []

  /// Reads the files in `folder`; throws if there is no such folder.
  ///
  /// Files with the same participant's name are merged as `kata import` does: the larger numbers
  /// and the later verdicts count, so that an old file does no harm. A file without a name goes by
  /// its file name.
  init(in folder: String) throws {
    let root = URL(filePath: folder)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder),
      isFolder.boolValue, FileManager.default.isReadableFile(atPath: root.path),
      let names = FileManager.default.enumerator(atPath: root.path)
    else {
      throw KataError(
        "'\(folder)' isn't a readable folder; name the one with the exported files.", .usage
      )
    }
    var byName: [String: Participant] = [:]
    let paths = names.compactMap { $0 as? String }.filter(Self.isOffered).sorted()
    for path in paths {
      let file = root.appending(path: path).path
      guard let size = Self.sizeOfFile(file) else { continue }
      do {
        guard size <= Self.sizeLimit else {
          throw KataError(
            "It has \(size >> 20) MB or more, which is too large for progress.", .usage)
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

  /// A file's size in bytes; nil if it's a folder, a pipe or a device, which isn't read.
  private static func sizeOfFile(_ path: String) -> Int? {
    var status = stat()
    // A file that can't be inspected is left for reading to report.
    guard stat(path, &status) == 0 else { return 0 }
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  private static func read(_ path: String) throws -> SharedProgress {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw KataError("It can't be read; check its owner and permissions.", .usage)
    }
    do {
      return try JSONDecoder().decode(SharedProgress.self, from: data)
    } catch is KataKit.Progress.Newer {
      throw KataError("It was written by a newer version; update this clone.", .usage)
    } catch {
      throw KataError("It isn't a file that 'make export' has written, or it's damaged.", .usage)
    }
  }

  /// Whether a name contains visible characters.
  private static func isVisible(_ name: String) -> Bool {
    name.unicodeScalars.contains { scalar in
      let category = scalar.properties.generalCategory
      return ![.format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator].contains(
        category)
        && !scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
