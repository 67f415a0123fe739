import Foundation

/// A file that is replaced in one step: whoever reads it finds the text before or the text after.
///
/// The new text is handed to the disk (`fsync`) before it takes the old one's place, so that a crash of
/// the system doesn't leave half of it. Where the file is a symbolic link, the file that it leads to is replaced.
struct AtomicFile {
  private let url: URL
  /// The file as messages name it.
  private let name: String
  /// Writes bytes as `write(2)` does; tests put a disk in its place that fills up.
  var put: (Int32, UnsafeRawBufferPointer) -> Int = { write($0, $1.baseAddress, $1.count) }

  init(_ url: URL, name: String) {
    self.url = url.resolvingSymlinksInPath()
    self.name = name
  }

  /// Replaces the file's text, and makes the folders that it lies in.
  ///
  /// Throws a `KataError` where that can't be; the file is then what it was.
  func replace(with text: String) throws {
    let folder = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw KataError.cannotWrite(name, error)
    }
    // In the same folder, for only within a file system a file takes another's place in one step.
    let draft = "\(url.path).\(UUID().uuidString.prefix(8))"
    var isInPlace = false
    defer { if !isInPlace { unlink(draft) } }
    try fill(draft, with: Data(text.utf8))
    guard rename(draft, url.path) == 0 else { throw failure(errno) }
    isInPlace = true
    // The folder's own entry. Not all file systems can do that; the text is safe in any case.
    let entry = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard entry >= 0 else { return }
    _ = fsync(entry)
    close(entry)
  }

  private func fill(_ draft: String, with data: Data) throws {
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(errno) }
    do {
      try put(data, in: file)
      // A network home may say only now that its disk is full.
      guard fsync(file) == 0 || [EINVAL, ENOTSUP, ENOSYS].contains(errno) else {
        throw failure(errno)
      }
    } catch {
      close(file)
      throw error
    }
    guard close(file) == 0 else { throw failure(errno) }
  }

  private func put(_ data: Data, in file: Int32) throws {
    try data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = put(file, UnsafeRawBufferPointer(rebasing: rest))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw failure(count < 0 ? errno : ENOSPC) }
        rest = rest.dropFirst(count)
      }
    }
  }

  private func failure(_ code: Int32) -> KataError {
    if code == ENOSPC || code == EDQUOT { return .diskFull }
    return .cannotWrite(name, POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
  }
}
