import Foundation

/// Whether a disk has room, determined by allocating it.
package enum DiskSpace {
  /// With less than this, in bytes, no build succeeds.
  package static let neededByBuild = 16 << 20
  /// A run of a spec writes far less than this.
  package static let neededByRun = 1 << 20

  /// Whether a folder's disk is full: there is no room for `bytes` more.
  ///
  /// Other reasons why a file can't be written don't count.
  package static func isShort(of bytes: Int, in folder: URL) -> Bool {
    let path = folder.appending(path: ".room-\(UUID().uuidString)").path
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return isFull(errno) }
    defer {
      close(file)
      unlink(path)
    }
    let block = [UInt8](repeating: 0xAA, count: 256 * 1024)
    for _ in 0..<(bytes / block.count) {
      let written = write(file, block, block.count)
      if written < block.count { return written >= 0 || isFull(errno) }
    }
    return false
  }

  private static func isFull(_ error: Int32) -> Bool { error == ENOSPC || error == EDQUOT }
}
