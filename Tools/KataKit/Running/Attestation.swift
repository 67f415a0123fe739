import Foundation

/// What a spec's process reports about the tests that it has completed.
///
/// An answer runs in that process, and could write events of tests that never ran. Only the spec
/// has the key: it reads it from its pipe before any code of the answer runs.
struct Attestation {
  private let key = UInt64.random(in: 1 ... .max)
  private var codes: Set<String> = []
  /// The number of schedules in which the process has run the answer.
  private(set) var schedules = 0
  private var rest: [UInt8] = []

  /// The text to leave in the pipe for the process.
  var keyText: Data { Data(String(key, radix: 16).utf8) }

  /// Reads what the process writes beside its events: lines with codes and numbers of schedules,
  /// and heartbeats between them.
  mutating func take(_ data: Data) {
    for byte in data where byte != UInt8(ascii: ".") {
      guard byte == UInt8(ascii: "\n") else {
        // Nothing longer is a code.
        if rest.count <= 16 { rest.append(byte) }
        continue
      }
      let line = String(decoding: rest, as: UTF8.self)
      if line.hasPrefix("+") { schedules += Int(line.dropFirst()) ?? 0 } else { codes.insert(line) }
      rest = []
    }
  }

  /// Whether the process has reported that the test with this name has ended.
  func holds(for test: String) -> Bool { codes.contains(Self.code(of: test, key: key)) }

  /// The code for a test, computed as in the spec's process.
  static func code(of test: String, key: UInt64) -> String {
    let bytes = withUnsafeBytes(of: key.littleEndian) { Array($0) }
    let hash = (bytes + Array(test.utf8) + bytes).reduce(0xcbf2_9ce4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
