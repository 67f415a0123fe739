import Dispatch
import Foundation
import KataTesting
import Testing

extension BarrierScopeTests {
  // MARK: - The others on the queue

  @Test(arguments: HandedInQueue.wide)
  func `others on the queue aren't held up by a change`(kind: HandedInQueue) throws {
    let queue = kind.make()
    let store = ScopedStore(0, on: queue)
    let release = Gate("release the writer")
    try writerEnters(store, until: release)
    queue.async { [timeline] in timeline.visit("somebody else") {} }
    timeline.expect(
      """
      writer         ├──────────────…
      somebody else       ├────┤
      """,
      """
      The store was being changed, and somebody else's block on the same queue, \
      \(kind.description), had to wait for that. The queue isn't the store's: its barriers belong \
      on a queue of its own, which has the other one as its target.
      """)
  }

  // reader        changes          somebody else, on the same queue
  // enters
  //               wait, many
  // (stays)                        runs
  @Test(arguments: HandedInQueue.wide)
  func `changes in line leave threads for others on the queue`(kind: HandedInQueue) throws {
    let queue = kind.make()
    let store = ScopedStore(0, on: queue)
    let release = Gate("release the reader")
    try readerEnters(store, until: release)
    let caller = TestThread("update, called 300 times,") {
      for _ in 1...300 { store.update { $0 += 1 } }
    }
    eventually("update holds its caller until the reader has left: put the change in line.") {
      caller.hasReturned
    }
    queue.async { [timeline] in timeline.visit("somebody else") {} }
    eventually(
      timeline.showing(
        """
        300 changes of the store waited for a reader to leave, and somebody else's block on the same \
        queue, \(kind.description), never got a thread. Let a change come to the queue when its turn \
        has come, and not wait there.
        """)
    ) { timeline.entries(of: "somebody else") == 1 }
    release.open()
    try caller.result()
    #expect(
      try mustReturn("value") { store.value } == 300,
      "300 changes were asked for, and some are lost.")
  }

  // a serial queue    many stores      somebody else, on a global queue
  // is suspended
  //                   wait, a change each
  //                                    runs
  // goes on
  //                   are changed
  @Test func `changes that wait for a busy queue leave threads for others`() throws {
    let queue = HandedInQueue.serial.make()
    let stores = (1...300).map { _ in ScopedStore(0, on: queue) }
    queue.suspend()
    let caller = TestThread("update, of 300 stores,") {
      for store in stores { store.update { $0 += 1 } }
    }
    eventually("update holds its caller until the queue is free: put the change in line.") {
      caller.hasReturned
    }
    DispatchQueue.global().async { [timeline] in timeline.visit("somebody else") {} }
    eventually(
      timeline.showing(
        """
        300 stores were given the same serial queue, which was busy. A change of each waited for it, and \
        somebody else's block on a global queue never got a thread. Who waits with sync holds a thread \
        meanwhile: let a change come to the queue by its target, or with async.
        """)
    ) { timeline.entries(of: "somebody else") == 1 }
    queue.resume()
    try caller.result()
    #expect(
      try mustReturn("value") { stores.map(\.value) } == Array(repeating: 1, count: 300),
      "300 stores were given a change each, and some are lost.")
  }

  @Test(arguments: HandedInQueue.wide)
  func `who works on the queue may use the store`(kind: HandedInQueue) throws {
    let queue = kind.make()
    let store = ScopedStore(1, on: queue)
    queue.async { [timeline] in
      timeline.visit("somebody else") {
        let seen = (store.value, store.read { $0 })
        store.update { $0 += 1 }
        timeline.mark("somebody else", "sees \(seen.0) and \(seen.1)")
      }
    }
    eventually(
      """
      A block on \(kind.description), which the store was given as well, asked for the value, and wasn't \
      answered. The queue belongs to others, and they may use the store like everybody.
      """
    ) { timeline.orderOfLeaving == ["somebody else"] }
    timeline.expect(
      "somebody else  ├────●────┤  sees 1 and 1",
      "A store was made with 1 in it, and somebody on its queue saw something else.")
    #expect(
      try mustReturn("value") { store.value } == 2,
      "The store had 1 in it, and somebody on its queue asked for 1 to be added.")
  }

  @Test(arguments: HandedInQueue.wide)
  func `a change doesn't wait for others on the queue`(kind: HandedInQueue) throws {
    let queue = kind.make()
    let store = ScopedStore(0, on: queue)
    let release = Gate("release somebody else")
    queue.async { [timeline] in timeline.visit("somebody else", until: release) }
    try #require(
      eventually("A block on the queue never ran.") { timeline.isInside("somebody else") })
    asksToWrite(store, "writer")
    timeline.expect(
      """
      somebody else  ├───────────────────…
      writer              ┆┄┄┄┄├────┤
      """,
      """
      Somebody else's long block was running on the queue, and a change of the store waited for it \
      to end. A barrier waits for everybody on its queue, so it needs a queue where only the store \
      is.
      """)
  }

  @Test(arguments: HandedInQueue.wide)
  func `two stores on one queue don't wait for each other`(kind: HandedInQueue) throws {
    let queue = kind.make()
    let release = Gate("release the writer")
    try writerEnters(ScopedStore(0, on: queue), until: release)
    asksToWrite(ScopedStore(0, on: queue), "the other store")
    timeline.expect(
      """
      writer           ├───────────────────…
      the other store       ┆┄┄┄┄├────┤
      """,
      """
      Two stores were given the same queue. One was being changed, and a change of the other \
      waited for it, though they have nothing in common: each store needs a scope of its own.
      """)
  }

  @Test(arguments: HandedInQueue.own)
  func `a change runs on the queue that was handed in`(kind: HandedInQueue) {
    let queue = kind.make()
    let places = Places(["on the queue": queue])
    let store = ScopedStore(0, on: queue)
    _ = TestThread("update") { [timeline] in
      store.update { _ in timeline.mark("change", places.current) }
    }
    eventually("update never ran the change that it was given.") { !timeline.events.isEmpty }
    timeline.expect(
      "change  ●  on the queue",
      """
      Whoever made the store chose \(kind.description) for its changes, and a change ran elsewhere. \
      Give the store's own queue the other one as its target.
      """)
  }
}
