import KataTesting
import Testing

/// Proves that a value is computed once, when it's first asked for, by one of those who ask at the same
/// moment, and that only a failure is tried again.
@Suite(.serialized, .kata) struct LazilyTests {
  let attempts = Attempts()

  // MARK: - Once

  @Test func `it's computed when it's first asked for, and only then`() throws {
    let lazily = Lazily { [attempts] in try attempts.next() }
    #expect(
      attempts.count == 0,
      "Nobody has asked for the value yet, and it was computed: that belongs in value.")
    let first = try mustReturn("value") { try lazily.value }
    let second = try mustReturn("value") { try lazily.value }
    #expect(
      attempts.count == 1,
      """
      The value was asked for twice, one after the other, and computed \(attempts.count) times. Keep \
      what compute has returned, and return that from then on.
      """)
    #expect(first === second, "The value was asked for twice, and these were two different ones.")
  }

  @Test func `it's computed on the thread that asks`() throws {
    let lazily = Lazily { ThreadMark.current() }
    #expect(
      try mustReturn("value") { try lazily.value.isCurrent },
      """
      It was computed on another thread than the one that asked, which stands and waits for it: two \
      threads are held, where one would do. Call compute yourself.
      """)
  }

  @Test func `a value that is nil is a value`() throws {
    let calls = SharedCounter()
    let lazily = Lazily<String?> {
      calls.increment()
      return nil
    }
    for _ in 1...2 {
      #expect(try mustReturn("value") { try lazily.value } == nil, "compute has returned nil.")
    }
    #expect(
      calls.value == 1,
      """
      compute has returned nil, which is a value like any other, and it was called \
      \(calls.value) times. Don't take what was returned for what isn't there yet.
      """)
  }

  // caller 1      caller 2 … 4
  // asks
  // computes
  //               ask
  // is held       must wait
  @Test func `callers at the same moment compute it once`() throws {
    let release = Gate("release the computation")
    let lazily = Lazily { [attempts] in try attempts.next(until: [release]) }
    let callers = callers(4, of: lazily)
    runUntilQuiet()
    #expect(
      attempts.count == 1,
      attempts.timeline.showing(
        """
        Four threads asked for the value at the same moment, and it is being computed \
        \(attempts.count) times. All of them found it missing: to look and to compute must be one \
        step, so that the others wait.
        """))
    release.open()
    for caller in callers {
      try caller.result("It waited while another thread computed, and that has come to its end.")
    }
    #expect(attempts.count == 1, "The value was there, and those who had waited computed it again.")
  }

  @Test func `callers at the same moment get the same value`() throws {
    let release = Gate("release the computation")
    let lazily = Lazily { [attempts] in try attempts.next(until: [release]) }
    let callers = callers(4, of: lazily)
    runUntilQuiet()
    release.open()
    let values = try callers.map { try $0.result() }
    let later = try mustReturn("value") { try lazily.value }
    #expect(
      values.allSatisfy { $0 === later },
      """
      Four threads asked for the value at the same moment, and they hold different ones: who changes \
      something in one of them changes it for nobody else.
      """)
  }

  @Test func `one doesn't wait for another`() throws {
    let release = Gate("release the slow computation")
    let slow = Lazily { [attempts] in try attempts.next(until: [release]) }
    let quick = Lazily { try Attempts().next() }
    let slowCaller = callers(1, of: slow)[0]
    eventually("The value was asked for, and never computed.") { attempts.count == 1 }
    let quickCaller = callers(1, of: quick)[0]
    #expect(
      !quickCaller.isBlocked(),
      """
      One value is slow to compute, and another one, which has nothing to do with it, has to wait. \
      Each must have a lock or a queue of its own; one that asks for another would wait for ever.
      """)
    release.open()
    try slowCaller.result()
    try quickCaller.result()
  }

  // MARK: - Failure

  @Test func `a failure isn't kept`() throws {
    let failures = 12
    let lazily = Lazily { [attempts] in try attempts.next(failing: failures) }
    for number in 1...failures {
      try #require(
        throws: Failure(attempt: number),
        "Attempt \(number) has failed: its error goes to whoever asked."
      ) {
        try mustReturn("value", "The attempts before it have failed; nobody computes.") {
          try lazily.value
        }
      }
    }
    let value = try mustReturn("value", "The attempts before it have failed; nobody computes.") {
      Result { try lazily.value }
    }
    #expect(
      (try? value.get())?.attempt == failures + 1,
      """
      Twelve attempts have failed, and the next one could succeed: the file is there by now, or the \
      network. Keep values only; an error isn't one, however often it comes.
      """)
    let again = try mustReturn("value") { try lazily.value }
    #expect(
      again.attempt == failures + 1 && attempts.count == failures + 1,
      "The last attempt has succeeded; from then on its value must be kept.")
  }

  @Test func `of those who waited for a failure, one tries again`() throws {
    let gates = ["first", "second", "third"].map { Gate("release the \($0) attempt") }
    let lazily = Lazily { [attempts] in try attempts.next(failing: 2, until: gates) }
    let first = callers(1, of: lazily)[0]
    eventually("The value was asked for, and never computed.") { attempts.count == 1 }
    let others = callers(3, of: lazily)
    runUntilQuiet()
    gates[0].open()
    #expect(
      throws: Failure(attempt: 1), "The first attempt has failed: its caller must get the error."
    ) { try first.result() }
    expectAttempts(
      """
      attempt 1  ├────┤
      attempt 2            ├────…
      """, "Three threads waited while a fourth one computed. That has failed")
    gates[1].open()
    expectAttempts(
      """
      attempt 1  ├────┤
      attempt 2            ├────┤
      attempt 3                      ├────…
      """, "Two threads wait while a third one makes the second attempt. That has failed")
    gates[2].open()
    var failures: [Failure] = []
    for other in others {
      do {
        try other.result("It waited, and must have the value of the attempt that succeeds.")
      } catch let error as Failure { failures.append(error) }
    }
    #expect(
      failures == [Failure(attempt: 2)],
      "One of three made the second attempt, so it alone must get the error of that one.")
    #expect(
      attempts.count == 3,
      "The third attempt has succeeded, and there was no need for another one.")
  }

  /// One of those who waited has begun another attempt, and the others wait for it.
  func expectAttempts(
    _ picture: String, _ situation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    runUntilQuiet()
    attempts.timeline.expect(
      picture,
      """
      \(situation), so one of those who wait must try again, and the others must wait for it; but \
      \(attempts.timeline.inside.count) compute now. After a failure too all must be woken, and \
      whoever wakes up has to look again.
      """, sourceLocation: sourceLocation)
  }
}

// MARK: - Fixtures

/// What an attempt throws.
struct Failure: Error, Equatable {
  let attempt: Int
}

/// What an attempt returns.
final class Fruit: Sendable, OpaqueMirror {
  let attempt: Int

  init(attempt: Int) {
    self.attempt = attempt
  }
}

/// Attempts to compute a value, which are numbered and may be held.
final class Attempts: Sendable, OpaqueMirror {
  let timeline = Timeline()
  private let counter = SharedCounter()

  var count: Int { counter.value }

  /// Begins an attempt and stays in it until its gate opens; the first `failures` attempts fail.
  func next(failing failures: Int = 0, until gates: [Gate] = []) throws -> Fruit {
    let attempt = counter.increment()
    timeline.visit("attempt \(attempt)") {
      if let gate = attempt <= gates.count ? gates[attempt - 1] : gates.last { gate.wait() }
    }
    if attempt <= failures { throw Failure(attempt: attempt) }
    return Fruit(attempt: attempt)
  }
}

/// Threads that ask for a value.
func callers(_ count: Int, of lazily: Lazily<Fruit>) -> [TestThread<Fruit>] {
  (1...count).map { number in TestThread("caller \(number)") { try lazily.value } }
}

extension Lazily: OpaqueMirror {}
