import KataTesting
import Testing

extension LazilyTests {
  // MARK: - Many threads

  @Test func `many threads may read it at once`() throws {
    let lazily = Lazily { [attempts] in try attempts.next() }
    try TestThread.race("caller", threads: 4) { _ in
      for _ in 0..<10 { _ = try? lazily.value }
    }
    let value = try mustReturn("value") { try lazily.value }
    #expect(
      value.attempt == 1 && attempts.count == 1,
      "Four threads read the value ten times each, and it was computed \(attempts.count) times.")
  }

  // caller        another thread
  // computes it
  // has it
  //               reads it: only a lock or an atomic in the answer orders the two
  @Test func `a later caller may read it too`() throws {
    let lazily = Lazily { 42 }
    let meeting = RelaxedRendezvous()
    let later = meeting.looker("the later caller") { try? lazily.value }
    let first = TestThread("the first caller") {
      let value = try lazily.value
      meeting.changed()
      return value
    }
    #expect(try first.result(timersInPlay: true) == 42, "compute has returned 42.")
    #expect(
      try later.result(timersInPlay: true) == 42,
      "The value was there, but a later caller got another one.")
  }
}
