import KataTesting
import Testing

extension AtomicBoxTests {
  // MARK: - Equal values

  @Test func `a value that equals the one before is kept, too`() throws {
    let box = AtomicBox(Edition(number: 1))
    try mustReturn("update") { box.update { $0 = Edition(number: 2) } }
    let number = try mustReturn("value") { box.value.number }
    #expect(
      number == 2,
      """
      The box contained edition 1, and an update changed it to edition 2, which equals it by `==`. \
      Now it contains edition \(number): it must keep the value that the body left.
      """)
  }
}

/// All editions of a book are equal, and have one hash value and one description.
private struct Edition: Hashable, Sendable, CustomStringConvertible {
  let number: Int

  static func == (lhs: Edition, rhs: Edition) -> Bool { true }

  func hash(into hasher: inout Hasher) {}

  var description: String { "an edition" }
}
