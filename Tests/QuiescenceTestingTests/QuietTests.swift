import Dispatch
import Foundation
import Testing

@testable import QuiescenceTesting

@Suite(.serialized, .quiescence) struct QuietTests {
  @Test func `quiet can be observed on this system`() {
    #expect(Quiet.isObservable())
  }

  @Test func `a process whose threads all sleep is quiet`() {
    let gate = Gate()
    let sleeper = TestThread("sleeper") { gate.wait() }
    #expect(Quiet.wait() == .quiet)
    #expect(gate.waiting == 1 && !sleeper.hasReturned)
  }

  @Test func `a spinning thread is never quiet`() {
    let gate = Gate()
    _ = TestThread("spinner") { while !gate.isOpen {} }
    #expect(Quiet.wait(TimeoutMeter(seconds: 0.1)) == .busy)
    gate.open()
    #expect(Quiet.wait() == .quiet)
  }

  @Test func `a thread that is delayed at random isn't quiet`() throws {
    let late = TestThread("late") { RandomDelays.ofThisProcess.makeLate(seconds: 0.3) }
    eventually("The thread must be late, or have been.", timersInPlay: true) {
      RandomDelays.ofThisProcess.hasDelayedThreads || late.hasReturned
    }
    #expect(Quiet.wait() == .quiet)
    #expect(late.hasReturned && !RandomDelays.ofThisProcess.hasDelayedThreads)
  }

  @Test func `a spinning thread is reported`() {
    let gate = Gate()
    _ = TestThread("spinner") { while !gate.isOpen {} }
    withKnownIssue {
      reportUnlessQuiet(Quiet.wait(TimeoutMeter(seconds: 0.1)))
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasPrefix(HungMark.prefix) }
    }
  }

  /// Each thread wakes the next; quiet comes after the last, however the looks fall in between.
  @Test(arguments: 1...20) func `a chain of threads is followed to its end`(_: Int) {
    let links = 30
    let gates = (0...links).map { Gate("link \($0)") }
    let reached = LockedValue(0)
    for link in 0..<links {
      _ = TestThread("link \(link)") {
        gates[link].wait()
        reached.withLock { $0 += 1 }
        gates[link + 1].open()
      }
    }
    #expect(Quiet.wait() == .quiet)
    #expect(reached.withLock { $0 } == 0)
    gates[0].open()
    #expect(Quiet.wait() == .quiet)
    #expect(reached.withLock { $0 } == links)
  }

  @Test func `work that waits for a saturated pool isn't taken for blocked`() {
    let gate = Gate()
    let ran = LockedValue(0)
    let queue = DispatchQueue(label: "katas.tests.saturated", attributes: .concurrent)
    let parked = ProcessInfo.processInfo.activeProcessorCount
    for _ in 0..<parked { queue.async { gate.wait() } }
    for _ in 0..<3 { queue.async { ran.withLock { $0 += 1 } } }
    #expect(Quiet.wait() == .quiet)
    #expect(ran.withLock { $0 } == 3)
    #expect(gate.waiting == parked)
  }

  /// The proof of absence that specs rest on: a reader kept out by a barrier, and one let in.
  @Test(arguments: [true, false]) func `a missing barrier is always told from a barrier`(
    hasBarrier: Bool
  ) {
    for _ in 0..<50 {
      let queue = DispatchQueue(label: "katas.tests.barrier", attributes: .concurrent)
      let timeline = Timeline()
      let release = Gate()
      queue.async(flags: hasBarrier ? .barrier : []) { timeline.visit("writer", until: release) }
      eventually("The writer must come in.") { timeline.isInside("writer") }
      _ = TestThread("reader") { queue.sync { timeline.visit("reader") {} } }
      runUntilQuiet()
      #expect(timeline.entries(of: "reader") == (hasBarrier ? 0 : 1))
      release.open()
    }
  }
}
