import Foundation
import KataTesting
import Testing

extension BoundedBufferTests {
  // MARK: - What is kept

  @Test func `a buffer may be released with elements in it`() throws {
    let trace = try mustReturn("put") {
      let crate = Crate()
      BoundedBuffer<Crate>(capacity: 2).put(crate)
      return WeakReference(crate)
    }
    // Dispatch traps if a semaphore is destroyed while its value is smaller than its initial value.
    runUntilQuiet()
    #expect(trace.isGone, "The buffer was released, so its elements must be released too.")
  }

  @Test func `what was taken isn't kept`() throws {
    let buffer = BoundedBuffer<Crate>(capacity: 2)
    let trace = try mustReturn("put and take") {
      let crate = Crate()
      buffer.put(crate)
      _ = buffer.take()
      return WeakReference(crate)
    }
    runUntilQuiet()
    #expect(
      trace.isGone,
      """
      An element was put and taken, and the taker has released it, but it still exists. The buffer must \
      release an element when it is taken.
      """)
    withExtendedLifetime(buffer) {}
  }

  // Others are still in, so the buffer isn't empty in between.
  @Test(arguments: [false, true])
  func `what was taken isn't kept while others are in`(isClosed: Bool) throws {
    let buffer = BoundedBuffer<Crate>(capacity: 3)
    let trace = try mustReturn("put, twice, and take") {
      let crate = Crate()
      buffer.put(crate)
      buffer.put(Crate())
      if isClosed { buffer.close() }
      _ = buffer.take()
      return WeakReference(crate)
    }
    runUntilQuiet()
    #expect(
      trace.isGone,
      """
      Two elements were put\(isClosed ? ", the buffer was closed," : "") and one was taken, but it still \
      exists. The buffer must release an element when it is taken, not when the buffer becomes empty, \
      which may never happen.
      """)
    withExtendedLifetime(buffer) {}
  }

  // putter A      putter B      taker
  // its crate is in
  //               waits
  //                             takes both, then waits
  // puts another
  //                             has it
  @Test func `a taken element isn't kept if its put or take had to wait`() throws {
    let buffer = BoundedBuffer<Crate>(capacity: 1)
    defer { _ = TestThread("the end of all waiting") { buffer.close() } }
    let put: @Sendable () -> WeakReference<Crate> = {
      let crate = Crate()
      buffer.put(crate)
      return WeakReference(crate)
    }
    try mustReturn("put") { _ = put() }
    let putter = TestThread("put", put)
    runUntilQuiet()
    try mustReturn("take, twice,") { for _ in 1...2 { _ = buffer.take() } }
    var traces = [try putter.result("An element was taken, so there was a place for another one.")]
    let taker = TestThread("take") { _ = buffer.take() }
    runUntilQuiet()
    traces.append(try mustReturn("put") { put() })
    try taker.result("A taker waited, and an element was put, so take must return.")
    runUntilQuiet()
    let kept = ["the first", "the second"].enumerated().filter { !traces[$0.offset].isGone }
    #expect(
      kept.isEmpty,
      """
      One element had to wait for its place, and a taker had to wait for another one. Both were taken \
      and released since, but still exist: \(kept.map(\.element).joined(separator: " and ")). Remove \
      what you store about a waiting thread when it goes on.
      """)
  }

  // MARK: - Many threads

  // Each of the three calls meets each, and itself, on two threads; nothing in the spec orders the two.
  @Test func `put, take and close may be called on any thread`() throws {
    let belt = Belt(capacity: 4)
    let buffer = belt.buffer
    try RelaxedRendezvous.meet("put and put", { buffer.put(1) }, { buffer.put(2) })
    try RelaxedRendezvous.meet("take and take", { _ = buffer.take() }, { _ = buffer.take() })
    try RelaxedRendezvous.meet("put and put", { buffer.put(3) }, { buffer.put(4) })
    let rest: Set<Int?> = [try belt.takeAtOnce(), try belt.takeAtOnce()]
    #expect(
      rest == [3, 4],
      "Four elements were put and two of them taken; the last two must be left.")
    try RelaxedRendezvous.meet("close and put", { buffer.close() }, { buffer.put(5) })
    try RelaxedRendezvous.meet("take and take", { _ = buffer.take() }, { _ = buffer.take() })
    #expect(try belt.takeAtOnce() == nil, "The buffer is closed and empty, so take returns nil.")
    let other = Belt(capacity: 1).buffer
    try RelaxedRendezvous.meet("close and close", { other.close() }, { other.close() })

    let belts = (1...3).map { _ in Belt(capacity: 2) }
    for belt in belts { try belt.putWithRoom(1) }
    let (third, fourth, fifth) = (belts[0].buffer, belts[1].buffer, belts[2].buffer)
    try RelaxedRendezvous.meet("put and take", { third.put(2) }, { _ = third.take() })
    try RelaxedRendezvous.meet("take and put", { _ = third.take() }, { third.put(3) })
    try RelaxedRendezvous.meet("put and close", { third.put(4) }, { third.close() })
    try RelaxedRendezvous.meet("take and close", { _ = fourth.take() }, { fourth.close() })
    try RelaxedRendezvous.meet("close and take", { fifth.close() }, { _ = fifth.take() })
  }

  @Test func `random scripts end as they must`() {
    playScripts(of: BufferScript.self)
  }
}
