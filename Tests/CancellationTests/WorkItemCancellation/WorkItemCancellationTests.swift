import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that work cancelled before its turn never runs, and that running work goes on and sees
/// that it's cancelled.
///
/// Its end is reported once, correctly, on the notice queue, cancelled or not.
@Suite(.serialized, .kata) struct WorkItemCancellationTests {
  let stage = WorkItemStage()
  var timeline: Timeline { stage.timeline }

  // MARK: - Not cancelled

  @Test func `it runs on its queue`() throws {
    let seenAt = LockedValue<[String]>([])
    let work = try stage.submit { [stage] in seenAt.append(stage.places.current) }
    eventually("The work is never called: submit it to its queue.") {
      timeline.orderOfLeaving == ["work"]
    }
    runUntilQuiet()
    #expect(
      timeline.orderOfEntry == ["work"], timeline.showing("The work must be called once, no more."))
    #expect(
      seenAt.value == ["the work's queue"],
      timeline.showing("The work must run on the queue that it was submitted to."))
    #expect(
      stage.looks == ["not cancelled"] && !work.isCancelled,
      "The work wasn't cancelled, and isCancelled says otherwise.")
  }

  @Test func `its end is reported when it has returned`() throws {
    let release = Gate("release the work")
    let work = try stage.submit { release.wait() }
    eventually("The work is never called.") { timeline.isInside("work") }
    timeline.expect(
      """
      work  ├────…
      """, "The work hasn't returned yet, and its end was reported already.")
    release.open()
    stage.expectEnding(
      "ran", "The work has run: that must be reported once, as .ran, on the notice queue.")
    withExtendedLifetime(work) {}
  }

  @Test func `the thread that submits it isn't blocked`() throws {
    let release = Gate("release the queue")
    stage.keepBusy(until: release)
    _ = try stage.submit()
    release.open()
    stage.expectEnding("ran", "The work has run: that must be reported once, as .ran.")
  }

  @Test func `it runs and its end is reported even if nothing retains it`() throws {
    let release = Gate("release the queue")
    stage.keepBusy(until: release)
    _ = try stage.submit()
    runUntilQuiet()
    release.open()
    stage.expectEnding(
      "ran",
      """
      Nothing retains the QueuedWork, and it wasn't cancelled: it must run all the same. A weak \
      reference to it in the block is nil when the block's turn comes.
      """)
    #expect(
      timeline.entries(of: "work") == 1,
      timeline.showing("Nothing retains the QueuedWork, and its work was never called."))
  }

  @Test func `its queue goes on while the notice waits`() throws {
    let release = Gate("release the notice queue")
    stage.notices.async { [timeline] in timeline.visit("another notice", until: release) }
    runUntilQuiet()
    let work = try stage.submit()
    runUntilQuiet()
    stage.queue.async { [timeline] in timeline.visit("next") {} }
    timeline.expect(
      """
      another notice  ├─────────────────────────────…
      work                 ├────●────┤  not cancelled
      next                                ├────┤
      """,
      """
      The work has returned and the notice queue is busy, so onEnd waits; and what was submitted \
      after the work waits too. It must not: report the end with async or notify.
      """)
    release.open()
    stage.expectEnding("ran", "The work has run: that must be reported once, as .ran.")
    withExtendedLifetime(work) {}
  }

  @Test func `what comes after the work goes first, if its queue is the notice queue too`() throws {
    let (release, goOn) = (Gate("release the work"), Gate("onEnd returns"))
    let work = QueuedWork(on: stage.queue, noticeQueue: stage.queue) { [timeline] _ in
      timeline.visit("work", until: release)
    } onEnd: { [timeline] _ in
      timeline.visit("onEnd", until: goOn)
    }
    eventually("The work is never called.") { release.waiting == 1 }
    stage.queue.async { [timeline] in timeline.visit("next") {} }
    release.open()
    timeline.expect(
      """
      work   ├────┤
      next             ├────┤
      onEnd                      ├────…
      """,
      """
      The work and onEnd have the same serial queue, and "next" was submitted there while the work \
      ran. What is submitted after the work mustn't wait for onEnd.
      """)
    goOn.open()
    runUntilQuiet()
    withExtendedLifetime(work) {}
  }

  @Test func `no thread has to wait for the notice`() throws {
    let release = Gate("onEnd returns")
    let work = QueuedWork(on: stage.queue, noticeQueue: stage.notices) { _ in
    } onEnd: { [timeline] _ in
      timeline.visit("onEnd", until: release)
    }
    eventually("The work was submitted, and its end is never reported.") { release.waiting == 1 }
    let other = TestThread("another thread") { [timeline] in
      timeline.visit("another thread") {
        _ = work.isCancelled
        work.cancel()
      }
    }
    timeline.expect(
      """
      onEnd           ├──────────────…
      another thread       ├────┤
      """,
      """
      onEnd takes its time, and meanwhile another thread reads isCancelled and cancels. It must \
      not block, and it did: onEnd was called while a lock was held or a queue occupied.
      """)
    release.open()
    try other.result()
  }

  // MARK: - Cancelled before its turn

  @Test func `cancelled before its turn, it never runs`() throws {
    let release = Gate("release the queue")
    stage.keepBusy(until: release)
    let work = try stage.submit()
    try stage.cancel(work)
    #expect(work.isCancelled, "cancel() has returned, and isCancelled is false.")
    release.open()
    runUntilQuiet()
    #expect(
      timeline.entries(of: "work") == 0,
      timeline.showing("It was cancelled before its turn, and was called all the same."))
  }

  @Test func `cancelled before its turn, its end is reported in its turn`() throws {
    let release = Gate("release the queue")
    stage.keepBusy(until: release)
    let work = try stage.submit()
    try stage.cancel(work)
    timeline.expect(
      """
      other work  ├─────────…
      cancel           ●  cancelled
      """,
      """
      The work's turn hasn't come: what was submitted before it still runs. Its end was reported \
      already. Let notify report it: its block is called when the queue has skipped the item.
      """)
    release.open()
    stage.expectEnding(
      "neverRan",
      """
      It was cancelled before its turn and never called, so its end is .neverRan, once, on the \
      notice queue. notify is called for a skipped item too: report which it was.
      """)
  }

  @Test func `cancelled again before its turn, its end is reported once`() throws {
    let release = Gate("release the queue")
    stage.keepBusy(until: release)
    let work = try stage.submit()
    try stage.cancel(work)
    try stage.cancel(work)
    release.open()
    stage.expectEnding("neverRan", "It was cancelled twice: one end must be reported, .neverRan.")
  }
}

/// Something that work may retain, to see whether it releases it.
final class Cargo: Sendable {}

extension QueuedWork: OpaqueMirror {}
