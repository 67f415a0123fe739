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

  // one object               another one
  // computes
  // a second caller waits
  //                          computes
  //                          a second caller waits
  //                          fails
  //                          the second caller tries again
  @Test func `a failure wakes a caller of the object that it happened in`() throws {
    let (goOn, fail) = (Gate("the slow attempt goes on"), Gate("the first attempt fails"))
    let slow = Lazily { [attempts] in try attempts.next(until: [goOn]) }
    let slowCallers = callers(2, of: slow)
    runUntilQuiet()
    let others = Attempts()
    let failing = Lazily { try others.next(failing: 1, until: [fail]) }
    let first = callers(1, of: failing)[0]
    runUntilQuiet()
    let second = callers(1, of: failing)[0]
    runUntilQuiet()
    fail.open()
    #expect(throws: Failure(attempt: 1)) { try first.result() }
    eventually(
      """
      A caller waited while another one computed, and that attempt failed. The caller must make \
      the next attempt, but it still waits. A caller of another object waits as well: with a \
      shared condition, a signal may wake that one.
      """
    ) { second.hasReturned }
    goOn.open()
    for caller in slowCallers { try caller.result() }
    #expect(try second.result().attempt == 2)
  }

  // caller 1       caller 2
  // computes
  //                waits
  // fails
  // reads again
  // computes
  //                is woken, and must wait again
  @Test func `a woken caller waits again if another one computes`() throws {
    // Now and then the woken caller is quicker.
    for _ in 0..<20 {
      let attempts = Attempts()
      let (fail, goOn) = (Gate("the first attempt fails"), Gate("the later attempts go on"))
      let lazily = Lazily { try attempts.next(failing: 1, until: [fail, goOn]) }
      let first = TestThread("caller 1") {
        _ = try? lazily.value
        return try lazily.value
      }
      eventually("The value was read, but never computed.") { attempts.count == 1 }
      let second = callers(1, of: lazily)[0]
      runUntilQuiet()
      fail.open()
      runUntilQuiet()
      let isOne = attempts.count == 2
      #expect(
        isOne,
        """
        An attempt failed while another caller waited, and a third read came before that caller \
        was awake. Now \(attempts.count - 1) attempts run at once. A woken caller must check \
        again: use while, not if.
        """)
      goOn.open()
      try first.result()
      try second.result()
      guard isOne else { return }
    }
  }
}
