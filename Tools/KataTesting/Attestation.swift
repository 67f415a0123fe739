import Foundation

/// Tells the runner which tests the spec itself has completed.
///
/// An answer runs in the process of its spec, and could write events of passed tests into Swift
/// Testing's event stream. So the runner leaves a key in the pipe that `KATA_ATTESTATION` names.
/// The key is read before any code of the answer runs, and every test that ends reports it with a
/// code that only the spec and the runner can compute.
struct Attestation {
  /// The attestation of this process; nil if no runner asks for one.
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

  /// Reports that the test with this name has ended.
  func attest(to test: String) { Heartbeat.tell("\(Self.code(of: test, key: key))\n") }

  /// The code for a test that has ended: FNV-1a of its name, with the key before and after its
  /// bytes.
  static func code(of test: String, key: UInt64) -> String {
    let bytes = withUnsafeBytes(of: key.littleEndian) { Array($0) }
    let hash = (bytes + Array(test.utf8) + bytes).reduce(0xcbf2_9ce4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
