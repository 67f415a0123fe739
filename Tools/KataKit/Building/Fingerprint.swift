/// A short number that stands for a text, the same in every process.
///
/// Source: FNV-1a with 64 bits.
struct Fingerprint: Codable, Equatable, Sendable {
  private let value: UInt64

  init(of text: String) {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 {
      value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    self.value = value
  }
}
