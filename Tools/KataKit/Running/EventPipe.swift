import Foundation

/// A named pipe that another process writes to, read without waiting.
///
/// Source: mkfifo(3), fifo(7).
struct EventPipe {
  let path: String
  /// The descriptor for `poll`.
  let descriptor: Int32
  /// Keeps the pipe from reaching its end of file while no other process has it open.
  private let ownEnd: Int32

  /// Creates the pipe.
  init(_ path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw Self.failure(path) }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
    self.path = path
    self.descriptor = descriptor
    ownEnd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
  }

  private static func failure(_ path: String) -> KataError {
    .cannotWrite(path, POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
  }

  /// Returns everything that was written since the last call.
  func read() -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count > 0 { data.append(contentsOf: buffer[..<count]) } else { return data }
    }
  }

  /// Writes something short for the next reader of the pipe.
  func leave(_ data: Data) { data.withUnsafeBytes { _ = write(ownEnd, $0.baseAddress, $0.count) } }

  func close() {
    Foundation.close(descriptor)
    if ownEnd >= 0 { Foundation.close(ownEnd) }
  }
}
