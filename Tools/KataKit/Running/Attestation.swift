import Foundation

/// What a spec's process says of the tests that it has brought to their end.
///
/// An answer runs in that process, and could write events of tests that never ran. Who has the key is the spec,
/// which takes it out of its pipe before anything of the answer runs.
struct Attestation {
  private let key = UInt64.random(in: 1 ... .max)
  private var codes: Set<String> = []
  /// How many schedules the process has run the answer in.
  private(set) var schedules = 0
  private var rest: [UInt8] = []

  /// What is to lie in the pipe for the process.
  var keyText: Data { Data(String(key, radix: 16).utf8) }

  /// Takes in what has come from the process beside its events: codes and counts of schedules in lines, with
  /// heartbeats between.
  mutating func take(_ data: Data) {
    for byte in data where byte != UInt8(ascii: ".") {
      guard byte == UInt8(ascii: "\n") else {
        // Nothing that is longer is a code.
        if rest.count <= 16 { rest.append(byte) }
        continue
      }
      let line = String(decoding: rest, as: UTF8.self)
      if line.hasPrefix("+") { schedules += Int(line.dropFirst()) ?? 0 } else { codes.insert(line) }
      rest = []
    }
  }

  /// Whether the test of this name has come to its end, so far as the process has said.
  func holds(for test: String) -> Bool { codes.contains(Self.code(of: test, key: key)) }

  /// What stands for a test, as the spec's side makes it.
  static func code(of test: String, key: UInt64) -> String {
    let bytes = withUnsafeBytes(of: key.littleEndian) { Array($0) }
    let hash = (bytes + Array(test.utf8) + bytes).reduce(0xcbf2_9ce4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
