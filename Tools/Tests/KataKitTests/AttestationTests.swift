import Foundation
import Testing

@testable import KataKit
@testable import KataTesting

@Suite struct AttestationTests {
  private typealias Runner = KataKit.Attestation
  private typealias Spec = KataTesting.Attestation

  @Test(arguments: ["a test", "", "ein Test über Schlösser 🧵", String(repeating: "x", count: 999)])
  func `both sides make the same code of a test`(name: String) {
    for key in [1, .max, 0x0123_4567_89ab_cdef] as [UInt64] {
      #expect(Runner.code(of: name, key: key) == Spec.code(of: name, key: key))
    }
    #expect(Runner.code(of: name, key: 1) != Runner.code(of: name, key: 2))
  }

  /// What a process says of these tests.
  private func lines(_ tests: [String], _ attestation: Runner) throws -> Data {
    let key = try #require(UInt64(String(decoding: attestation.keyText, as: UTF8.self), radix: 16))
    return Data(tests.map { "\(Spec.code(of: $0, key: key))\n" }.joined(separator: "..").utf8)
  }

  @Test func `a test has ended when the process says so with the key`() throws {
    var attestation = Runner()
    #expect(!attestation.holds(for: "one"))
    let data = try lines(["one", "two"], attestation)
    // In pieces, as pipes give them.
    for byte in data { attestation.take(Data([byte])) }
    #expect(attestation.holds(for: "one") && attestation.holds(for: "two"))
    #expect(!attestation.holds(for: "three"))
    var other = Runner()
    other.take(data)
    #expect(!other.holds(for: "one"), "Each process has a key of its own.")
  }

  @Test func `schedules are counted as they are reported`() throws {
    var attestation = Runner()
    #expect(attestation.schedules == 0)
    for byte in Data("..+412\n.+7\n+\n+x\n".utf8) { attestation.take(Data([byte])) }
    #expect(attestation.schedules == 419)
    #expect(!attestation.holds(for: "+412"))
  }

  @Test func `what is no code is forgotten`() throws {
    var attestation = Runner()
    attestation.take(Data(String(repeating: "x", count: 100_000).utf8))
    attestation.take(try lines(["one"], attestation))
    #expect(!attestation.holds(for: "one"))
    attestation.take(try lines(["one"], attestation))
    #expect(attestation.holds(for: "one"))
  }
}
