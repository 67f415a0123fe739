import Foundation

/// Distinguishes a file from the one that was in its place before, also if an editor saves by
/// renaming.
///
/// It can be stored, and compared with a later one.
struct FileStamp: Codable, Equatable, Sendable {
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// The stamp of a file now; nil if there is none.
  init?(_ file: URL) { self.init(file.path) }

  /// The stamp of the file at `path`, following links; nil if there is none.
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
