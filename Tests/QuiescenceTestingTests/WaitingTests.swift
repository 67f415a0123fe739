import Dispatch
import Foundation
import Testing

@testable import QuiescenceTesting

@Suite(.serialized, .quiescence) struct WaitingTests {
  @Test func `a participant's result is handed over`() throws {
    #expect(try TestThread("sum") { 1 + 2 }.result() == 3)
    #expect(try mustReturn("sum") { 1 + 2 } == 3)
  }

  @Test func `a thread whose result is read has released what made it`() throws {
    final class Thing: Sendable {
      let end: @Sendable () -> Void
      init(_ end: @escaping @Sendable () -> Void) { self.end = end }
      deinit { end() }
    }
    let (isReady, hasReturned) = (Gate(), LockedValue<(@Sendable () -> Bool)?>(nil))
    let atItsEnd = LockedValue<Bool?>(nil)
    func started() -> TestThread<Void> {
      let thing = Thing { atItsEnd.set(hasReturned.value?()) }
      return TestThread("whoever keeps a thing") {
        isReady.wait()
        withExtendedLifetime(thing) {}
      }
    }
    let thread = started()
    hasReturned.set { thread.hasReturned }
    isReady.open()
    try thread.result()
    #expect(
      atItsEnd.value == false, "The thing went when its thread had returned already, or hasn't.")
  }

  @Test func `a participant's error is rethrown`() {
    #expect(throws: Oops.self) { try mustReturn("oops") { throw Oops() } }
  }

  @Test func `a participant that never returns is reported as a hang`() throws {
    let gate = Gate()
    try withKnownIssue {
      try mustReturn("sleeper") { gate.wait() }
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.hasPrefix("\(HungMark.prefix)sleeper never returned: every thread")
      }
    }
  }

  @Test func `what happens is waited for`() {
    let value = Promise<Int>()
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) { value.fulfil(1) }
    #expect(eventually("The timer must fire.", timersInPlay: true) { value.value == 1 })
  }

  @Test func `what never happens is reported with the promise that was broken`() {
    withKnownIssue {
      #expect(!eventually("It must happen.") { false })
    } matching: { issue in
      issue.comments.contains { $0.rawValue == "It must happen." } || issue.comments.isEmpty
    }
  }

  @Test func `a gate holds back until it's opened, and never again`() throws {
    let gate = Gate()
    let first = TestThread("first") { gate.wait() }
    runUntilQuiet()
    #expect(!first.hasReturned && gate.waiting == 1 && !gate.isOpen)
    gate.open()
    try first.result()
    try mustReturn("second") { gate.wait() }
    #expect(gate.waiting == 0 && gate.isOpen)
  }

  @Test func `racing threads all wait at the start`() throws {
    let began = LockedValue(0)
    let seen = LockedValue<[Int]>([])
    try TestThread.race("thread", threads: 4) { thread in
      began.withLock { $0 += 1 }
      seen.withLock { $0.append(thread) }
    }
    #expect(began.withLock { $0 } == 4)
    #expect(seen.withLock { $0.sorted() } == [0, 1, 2, 3])
  }

  @Test func `a race whose thread never ends is reported`() throws {
    let gate = Gate()
    try withKnownIssue {
      try TestThread.race("thread", threads: 2) { thread in if thread == 1 { gate.wait() } }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasPrefix("\(HungMark.prefix)thread 2 never returned") }
    }
  }

  private struct Oops: Error {}
}

/// Two suites that would overlap if the trait let tests of one process run side by side.
@Suite(.quiescence) struct OneAtATimeTests {
  private static let inside = LockedValue(0)

  @Test(arguments: 0..<8) func `tests of a kata run one at a time`(_: Int) {
    let number = Self.inside.withLock { inside in
      inside += 1
      return inside
    }
    defer { Self.inside.withLock { $0 -= 1 } }
    #expect(number == 1)
    runUntilQuiet()
  }

  @Test(.quiescence) func `a test that wears the trait beside its suite doesn't wait for itself`() {
    #expect(OwnThreadExecutor.isOnOwnThread)
  }

  @MainActor @Test func `on the main thread it proves nothing, and says so`() {
    withKnownIssue {
      #expect(!runUntilQuiet())
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasPrefix("Running until quiet on the main thread") }
    }
  }

  @Test func `a test has a thread of its own, outside Dispatch's pools`() {
    // On one core the pool has one thread; a test that blocked it would stop this.
    #expect(eventually("A global queue must run a block.") { ranOnGlobalQueue.value == true })
    #expect(OwnThreadExecutor.isOnOwnThread)
  }

  private let ranOnGlobalQueue = {
    let ran = Promise<Bool>()
    DispatchQueue.global().async { ran.fulfil(true) }
    return ran
  }()
}
