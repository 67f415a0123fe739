/// A short number for texts, the same in every process.
///
/// Source: FNV-1a with 64 bits.
package struct ContentHash: Codable, Equatable, Sendable {
  private let value: UInt64

  package init(of text: String) { self.init(of: [text]) }

  /// Hashes several texts, in this order.
  package init(of texts: [String]) {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325
    for (index, text) in texts.enumerated() {
      // UTF-8 never contains this byte, so the boundaries between texts are part of the number.
      if index > 0 { value = (value ^ 0xff) &* 0x100_0000_01b3 }
      for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    self.value = value
  }

  /// One of `count` buckets, evenly filled, counted from 0.
  func bucket(of count: Int) -> Int { Int((value ^ value >> 32) % UInt64(count)) }

  /// The number in hexadecimal.
  package var text: String { String(value, radix: 16) }
}
