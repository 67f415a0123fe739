/// A short number that stands for a text, the same in every process.
///
/// Source: FNV-1a with 64 bits.
struct Fingerprint: Codable, Equatable, Sendable {
  fileprivate let value: UInt64

  init(of text: String) {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 {
      value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    self.value = value
  }
}

extension Fingerprint {
  /// One of `count` buckets, evenly filled, counted from 0.
  func bucket(of count: Int) -> Int { Int((value ^ value >> 32) % UInt64(count)) }

  /// The number in hexadecimal.
  var text: String { String(value, radix: 16) }
}
