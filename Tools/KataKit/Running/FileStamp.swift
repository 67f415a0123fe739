import Foundation

/// What tells a file from the one that was in its place before: also when an editor saves by renaming.
///
/// It can be kept, and compared with that of a later day.
struct FileStamp: Codable, Equatable, Sendable {
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// The mark of a file as it is now; nil where there is none.
  init?(_ file: URL) { self.init(file.path) }

  /// The mark of the file that `path` leads to; nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      seconds = status.st_mtimespec.tv_sec
      nanoseconds = status.st_mtimespec.tv_nsec
    #else
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    #endif
  }
}
