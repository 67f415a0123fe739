import Foundation

/// Tells the runner outside which tests the spec itself has brought to their end.
///
/// An answer runs in the process of its spec, and could write into the stream of Swift Testing's events what
/// would look like tests that have passed. So the runner leaves a key in the pipe that `KATA_ATTESTATION` names,
/// which is taken out of it before anything of the answer runs, and every test that ends says so with a code that
/// only the two can make.
struct Attestation {
  /// That of this process; nil where no runner asks for it.
  static let ofThisProcess = Attestation()

  private let key: UInt64

  private init?() {
    Heartbeat.prepare()
    guard let path = ProcessInfo.processInfo.environment["KATA_ATTESTATION"], !path.isEmpty else {
      return nil
    }
    let pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard pipe >= 0 else { return nil }
    defer { close(pipe) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(pipe, &buffer, buffer.count)
    guard count > 0, let key = UInt64(String(decoding: buffer[..<count], as: UTF8.self), radix: 16)
    else { return nil }
    self.key = key
  }

  /// Says that the test of this name has come to its end.
  func attest(to test: String) { Heartbeat.tell("\(Self.code(of: test, key: key))\n") }

  /// What stands for a test that has ended, by FNV-1a, before and behind whose bytes comes the key.
  static func code(of test: String, key: UInt64) -> String {
    let bytes = withUnsafeBytes(of: key.littleEndian) { Array($0) }
    let hash = (bytes + Array(test.utf8) + bytes).reduce(0xcbf2_9ce4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
