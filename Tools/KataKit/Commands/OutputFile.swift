import Foundation

/// A file for a command's output, named relative to the current folder.
package struct OutputFile {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  private var url: URL { URL(filePath: path) }

  /// Throws if it can't be written, before the output is computed.
  package func check() throws {
    if kind == S_IFDIR {
      throw KataError("'\(path)' is a folder; name a file.", .usage)
    }
    var folder = url.deletingLastPathComponent().standardizedFileURL
    while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
      folder = folder.deletingLastPathComponent().standardizedFileURL
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
      isFolder.boolValue, FileManager.default.isWritableFile(atPath: folder.path)
    else {
      throw KataError(
        "\(path) can't be written; name a file in a writable folder.",
        .environment)
    }
  }

  /// Writes the file in one step, and creates its folders.
  ///
  /// A pipe or a device is written to, not replaced.
  package func write(_ text: String) throws {
    guard let kind, kind != S_IFREG else {
      return try url.replaceContent(with: Data(text.utf8), name: path)
    }
    do {
      let handle = try FileHandle(forWritingTo: url)
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
    } catch {
      throw KataError.cannotWrite(path, error)
    }
  }

  /// Moves a file to its place in one step, and creates the folders.
  package func take(_ file: URL) throws {
    let place = url.resolvingSymlinksInPath()
    let copy = "\(place.path).\(UUID().uuidString.prefix(8))"
    defer { unlink(copy) }
    do {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      // It may be on another file system, from which it can't be moved in one step.
      try FileManager.default.copyItem(atPath: file.path, toPath: copy)
    } catch {
      throw KataError.cannotWrite(path, error)
    }
    guard rename(copy, place.path) == 0 else {
      throw KataError.cannotWrite(
        path, POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
    }
  }

  /// The kind of the file that is there already, as in `st_mode`; nil if there is none.
  private var kind: mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
