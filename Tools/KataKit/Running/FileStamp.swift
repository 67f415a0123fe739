import Foundation

/// What tells a file from the one that was in its place before; it can be kept.
struct FileStamp: Codable, Equatable, Sendable {
  private let text: String

  /// The stamp of the file that `path` leads to; nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    text = "\(status.st_ino) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
  }
}
