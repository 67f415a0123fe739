import KataTesting
import Testing

/// Proves that a value is computed once, when it's first read, and that only a failure is retried.
///
/// Of several callers at the same moment one computes, and the others wait for its value.
@Suite(.serialized, .kata) struct LazilyTests {
  let attempts = Attempts()

  // MARK: - Once

  @Test func `the value is computed when it's first read, and only then`() throws {
    let lazily = Lazily { [attempts] in try attempts.next() }
    #expect(
      attempts.count == 0,
      "The value hasn't been read yet, but it was computed: compute it when value is read.")
    let first = try mustReturn("value") { try lazily.value }
    let second = try mustReturn("value") { try lazily.value }
    #expect(
      attempts.count == 1,
      """
      The value was read twice, one read after the other, and computed \(attempts.count) times. It \
      must be computed once: store what compute has returned, and return that from then on.
      """)
    #expect(first === second, "The value was read twice, and these were two different ones.")
  }

  @Test func `the value is computed on the thread that reads it`() throws {
    let lazily = Lazily { ThreadMark.current() }
    #expect(
      try mustReturn("value") { try lazily.value.isCurrent },
      """
      The value was computed on another thread than the one that read it, and that one had to \
      wait: two threads are in use, where one would do. Call compute on the caller's thread.
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
      compute returned nil, which is a value like any other, and it was called \(calls.value) \
      times; it must be called once. Don't take a nil that was returned for a value that isn't \
      there yet.
      """)
  }

  // caller 1      caller 2 … 4
  // reads
  // computes
  //               read
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
        Four threads read the value at the same moment, and it is being computed \(attempts.count) \
        times. One of them must compute it while the others wait: checking and computing must be \
        one critical section.
        """))
    release.open()
    for caller in callers {
      try caller.result("It waited while another thread computed, and that computation has ended.")
    }
    #expect(attempts.count == 1, "The value was there, but waiting callers computed it again.")
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
      Four threads read the value at the same moment, and got different ones. All callers must get \
      the same value: once one is stored, return that one.
      """)
  }

  @Test func `one value doesn't wait for another`() throws {
    let release = Gate("release the slow computation")
    let slow = Lazily { [attempts] in try attempts.next(until: [release]) }
    let quick = Lazily { try Attempts().next() }
    let slowCaller = callers(1, of: slow)[0]
    eventually("The value was read, but never computed.") { attempts.count == 1 }
    let quickCaller = callers(1, of: quick)[0]
    #expect(
      !quickCaller.isBlocked(),
      """
      One value is slow to compute, and a caller of another, independent value has to wait. Each \
      object must have a lock or a queue of its own. With a shared one, a computation that reads \
      another value would wait forever.
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
        "Attempt \(number) has failed: its error must be thrown to its caller."
      ) {
        try mustReturn("value", "The attempts before it failed, and no thread computes.") {
          try lazily.value
        }
      }
    }
    let value = try mustReturn("value", "The attempts before it failed, and no thread computes.") {
      Result { try lazily.value }
    }
    #expect(
      (try? value.get())?.attempt == failures + 1,
      """
      Twelve attempts have failed, and the next one could succeed: by now the file may exist, or \
      the network be back. Store values only, and no error, however often one is thrown.
      """)
    let again = try mustReturn("value") { try lazily.value }
    #expect(
      again.attempt == failures + 1 && attempts.count == failures + 1,
      "The last attempt has succeeded: from then on its value must be returned.")
  }

  @Test func `after a failure, one of the waiting callers tries again`() throws {
    let gates = ["first", "second", "third"].map { Gate("release the \($0) attempt") }
    let lazily = Lazily { [attempts] in try attempts.next(failing: 2, until: gates) }
    let first = callers(1, of: lazily)[0]
    eventually("The value was read, but never computed.") { attempts.count == 1 }
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
      """, "Three threads waited while a fourth one computed. Its attempt failed")
    gates[1].open()
    expectAttempts(
      """
      attempt 1  ├────┤
      attempt 2            ├────┤
      attempt 3                      ├────…
      """, "Two threads wait while a third one makes the second attempt. It failed")
    gates[2].open()
    var failures: [Failure] = []
    for other in others {
      do {
        try other.result("It waited, and must get the value of the attempt that succeeds.")
      } catch let error as Failure { failures.append(error) }
    }
    #expect(
      failures == [Failure(attempt: 2)],
      "One of three callers made the second attempt, so only that caller must get its error.")
    #expect(
      attempts.count == 3,
      "The third attempt has succeeded, so there must be no other one.")
  }

  /// Expects that one waiting thread has begun another attempt, and the others wait for it.
  func expectAttempts(
    _ picture: String, _ situation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    runUntilQuiet()
    attempts.timeline.expect(
      picture,
      """
      \(situation), so one waiting thread must make the next attempt while the others wait; but \
      \(attempts.timeline.inside.count) compute now. After a failure, too, wake all waiting \
      threads, and let each check the state again.
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

  /// Makes an attempt that waits until its gate opens; the first `failures` attempts fail.
  func next(failing failures: Int = 0, until gates: [Gate] = []) throws -> Fruit {
    let attempt = counter.increment()
    timeline.visit("attempt \(attempt)") {
      if let gate = attempt <= gates.count ? gates[attempt - 1] : gates.last { gate.wait() }
    }
    if attempt <= failures { throw Failure(attempt: attempt) }
    return Fruit(attempt: attempt)
  }
}

/// Threads that read a value.
func callers(_ count: Int, of lazily: Lazily<Fruit>) -> [TestThread<Fruit>] {
  (1...count).map { number in TestThread("caller \(number)") { try lazily.value } }
}

extension Lazily: OpaqueMirror {}
