import Dispatch
import Foundation
import Testing

@testable import QuiescenceTesting

@Suite struct LockedValueTests {
  @Test func `what threads append is all there`() throws {
    let numbers = LockedValue<[Int]>([])
    try TestThread.race("append", threads: 4) { thread in
      for _ in 1...100 { numbers.append(thread) }
    }
    #expect(numbers.value.sorted() == (0..<4).flatMap { Array(repeating: $0, count: 100) })
  }

  @Test func `the old value is released without the lock`() throws {
    final class Asker: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
      deinit { body() }
    }
    let seen = SharedCounter()
    let box = LockedValue<Asker?>(nil)
    box.set(Asker { if box.value == nil { seen.increment() } })
    try mustReturn("set") { box.set(nil) }
    #expect(seen.value == 1)
  }
}

@Suite struct WeakReferenceTests {
  private final class Thing: Sendable {}

  @Test func `an object is there as long as it is retained`() {
    var thing: Thing? = Thing()
    let reference = thing.map { WeakReference($0) }
    #expect(reference?.isGone == false && reference?.value === thing)
    thing = nil
    #expect(reference?.isGone == true && reference?.value == nil)
  }
}

@Suite struct ManualTimersTests {
  private let timers = ManualTimers()
  private let fired = LockedValue<[Int]>([])

  private func set(_ number: Int) -> @Sendable () -> Void {
    timers.set(Double(number)) { [fired] in fired.append(number) }
  }

  @Test func `they fire when asked to, cancelled or not`() {
    let cancellers = (0..<3).map(set)
    #expect(timers.seconds == [0, 1, 2] && fired.value.isEmpty)
    cancellers[1]()
    #expect(timers.all.map(\.isCancelled) == [false, true, false])
    timers.fire(1..<9)
    #expect(fired.value == [1, 2])
    timers.fire()
    #expect(fired.value == [1, 2, 0, 1, 2])
    #expect(timers.all.allSatisfy { $0.thread == ObjectIdentifier(Thread.current) })
  }

  @Test func `pending timers fire once, and cancelled ones don't`() {
    let cancellers = (0..<3).map(set)
    cancellers[1]()
    timers.firePending()
    #expect(fired.value == [0, 2] && timers.all.map(\.hasFired) == [true, false, true])
    _ = set(3)
    timers.firePending()
    timers.firePending()
    #expect(fired.value == [0, 2, 3])
  }

  @Test func `a timer that fires may cancel the next and set another`() {
    let next = LockedValue<(@Sendable () -> Void)?>(nil)
    timers.set(0) { [timers, fired] in
      next.value?()
      timers.set(2) { fired.append(2) }
    }
    next.set(set(1))
    timers.firePending()
    #expect(fired.value.isEmpty)
    timers.firePending()
    #expect(fired.value == [2])
  }

  @Test func `it shows whether any can still be cancelled, or waits`() {
    var cancel: (@Sendable () -> Void)? = set(1)
    #expect(timers.isAnyWaiting && timers.all.map(\.isForgotten) == [false])
    cancel?()
    #expect(!timers.isAnyWaiting)
    cancel = nil
    #expect(timers.all.map(\.isForgotten) == [true])
  }

  @Test func `what is forgotten can be cancelled all the same`() {
    let cancel = set(1)
    timers.forget()
    cancel()
    timers.fire()
    #expect(fired.value.isEmpty && timers.all.isEmpty)
  }
}

@Suite struct PlacesTests {
  @Test func `code on a marked queue, or on one that targets it, is there`() {
    let queue = DispatchQueue(label: "marked")
    let places = Places(["its queue": queue])
    let onTop = DispatchQueue(label: "on top", target: queue)
    #expect(places.current == "elsewhere")
    #expect(queue.sync { places.current } == "its queue")
    #expect(onTop.sync { places.current } == "its queue")
    #expect(DispatchQueue(label: "other").sync { places.current } == "elsewhere")
    #expect(queue.sync { Places([:]).current } == "elsewhere")
    places.mark(onTop, "on top")
    #expect(onTop.sync { places.current } == "on top")
  }
}

@Suite struct ThreadMarkTests {
  @Test func `one thread has the mark, and the last one to note`() throws {
    let mark = ThreadMark()
    #expect(!mark.isNoted && !mark.isCurrent)
    try mustReturn("another thread") { mark.note() }
    #expect(mark.isNoted && !mark.isCurrent)
    #expect(try mustReturn("a third thread") { mark.isCurrent } == false)
    let own = ThreadMark.current()
    #expect(own.isCurrent)
  }
}

@Suite struct ThreadStartTests {
  private final class Thing: Sendable {}

  @Test func `a retained thread doesn't retain what it ran`() throws {
    let mark = ThreadMark()
    let reference = try {
      let thing = Thing()
      try mustReturn("a thread") { withExtendedLifetime(thing) { mark.note() } }
      return WeakReference(thing)
    }()
    #expect(eventually("The thread is over, and what it ran is kept.") { reference.isGone })
    #expect(mark.isNoted)
  }
}

@Suite(.serialized, .quiescence) struct MeetingTests {
  @Test func `the second call comes after the first`() throws {
    let calls = LockedValue<[String]>([])
    try RelaxedRendezvous.meet("both", { calls.append("first") }, { calls.append("second") })
    #expect(calls.value == ["first", "second"])
  }

  @Test func `a meeting tells whether the look came after the change`() throws {
    let meeting = RelaxedRendezvous()
    let looker = meeting.looker("look") {}
    #expect(!meeting.didMeet)
    meeting.changed()
    try looker.result(timersInPlay: true)
    #expect(meeting.didMeet)
  }

  @Test func `who looks goes on alone where no change is made`() throws {
    let meeting = RelaxedRendezvous()
    try mustReturn("look", timersInPlay: true) { meeting.look {} }
    #expect(!meeting.didMeet)
    meeting.changed()
    #expect(!meeting.didMeet, "It came too late.")
  }

  @Test func `a thread that makes the change goes on alone if no other looks`() throws {
    let meeting = RelaxedRendezvous()
    try mustReturn("changed()", timersInPlay: true) { meeting.changed() }
    meeting.look {}
    #expect(!meeting.didMeet, "Nobody has waited for the look.")
  }

  @Test func `a thread that is blocked says so`() throws {
    let gate = Gate()
    let thread = TestThread("waits") { gate.wait() }
    #expect(thread.isBlocked())
    gate.open()
    #expect(!thread.isBlocked())
  }
}
