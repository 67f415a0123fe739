import Dispatch
import Foundation
import KataTesting
import Testing

extension BarrierScopeTests {
  // MARK: - Other blocks on the queue

  @Test(arguments: HandedInQueue.wide)
  func `a change doesn't hold up other blocks on the queue`(kind: HandedInQueue) throws {
    let queue = kind.make()
    let store = ScopedStore(0, on: queue)
    let release = Gate("release the writer")
    try writerEnters(store, until: release)
    queue.async { [timeline] in timeline.visit("another block") {} }
    timeline.expect(
      """
      writer         ├──────────────…
      another block       ├────┤
      """,
      """
      The store was being changed, and an unrelated block on the same queue, \(kind.description), \
      had to wait for that. A barrier of the store must not stop other code's blocks. Submit it to \
      a queue of the store's own, whose target is the queue that was handed in.
      """)
  }

  // reader        300 changes      an unrelated block, on the same queue
  // enters
  //               wait
  // (stays)                        runs
  @Test(arguments: HandedInQueue.wide)
  func `waiting changes leave threads for other blocks on the queue`(kind: HandedInQueue) throws {
    let queue = kind.make()
    let store = ScopedStore(0, on: queue)
    let release = Gate("release the reader")
    try readerEnters(store, until: release)
    let caller = TestThread("update, called 300 times,") {
      for _ in 1...300 { store.update { $0 += 1 } }
    }
    eventually("update blocks its caller until the reader has left: submit the change and return.")
    {
      caller.hasReturned
    }
    queue.async { [timeline] in timeline.visit("another block") {} }
    eventually(
      timeline.showing(
        """
        300 changes of the store waited for a reader to leave, and an unrelated block on the same \
        queue, \(kind.description), never got a thread. A waiting change must not block a thread: \
        submit it to that queue only when it can run.
        """)
    ) { timeline.entries(of: "another block") == 1 }
    release.open()
    try caller.result()
    #expect(
      try mustReturn("value") { store.value } == 300,
      "300 changes were submitted, and some are lost.")
  }

  // a serial queue    300 stores       an unrelated block, on a global queue
  // is suspended
  //                   wait, each with a change
  //                                    runs
  // goes on
  //                   are changed
  @Test func `changes that wait for a busy queue leave threads for other blocks`() throws {
    let queue = HandedInQueue.serial.make()
    let stores = (1...300).map { _ in ScopedStore(0, on: queue) }
    queue.suspend()
    let caller = TestThread("update, of 300 stores,") {
      for store in stores { store.update { $0 += 1 } }
    }
    eventually("update blocks its caller until the queue is free: submit the change and return.") {
      caller.hasReturned
    }
    DispatchQueue.global().async { [timeline] in timeline.visit("another block") {} }
    eventually(
      timeline.showing(
        """
        300 stores were given the same serial queue, which was busy. A change of each waited for \
        it, and an unrelated block on a global queue never got a thread. A block that waits in \
        sync holds a thread: let changes reach the queue through a target queue, or with async.
        """)
    ) { timeline.entries(of: "another block") == 1 }
    queue.resume()
    try caller.result()
    #expect(
      try mustReturn("value") { stores.map(\.value) } == Array(repeating: 1, count: 300),
      "A change was submitted to each of 300 stores, and some are lost.")
  }

  @Test(arguments: HandedInQueue.wide)
  func `a block on the queue may use the store`(kind: HandedInQueue) throws {
    let queue = kind.make()
    let store = ScopedStore(1, on: queue)
    queue.async { [timeline] in
      timeline.visit("another block") {
        let seen = (store.value, store.read { $0 })
        store.update { $0 += 1 }
        timeline.mark("another block", "sees \(seen.0) and \(seen.1)")
      }
    }
    eventually(
      """
      A block on \(kind.description), which the store was given as well, used the store, and \
      didn't get a result. The queue isn't the store's, and blocks on it may use the store like \
      any caller.
      """
    ) { timeline.orderOfLeaving == ["another block"] }
    timeline.expect(
      "another block  ├────●────┤  sees 1 and 1",
      "A store was created with 1 in it, and a block on its queue saw another value.")
    #expect(
      try mustReturn("value") { store.value } == 2,
      "The store contained 1, and a block on its queue called update to add 1.")
  }

  @Test(arguments: HandedInQueue.wide)
  func `a change doesn't wait for other blocks on the queue`(kind: HandedInQueue) throws {
    let queue = kind.make()
    let store = ScopedStore(0, on: queue)
    let release = Gate("release another block")
    queue.async { [timeline] in timeline.visit("another block", until: release) }
    try #require(
      eventually("A block on the queue never ran.") { timeline.isInside("another block") })
    asksToWrite(store, "writer")
    timeline.expect(
      """
      another block  ├───────────────────…
      writer              ┆┄┄┄┄├────┤
      """,
      """
      An unrelated long block was running on the queue, and a change of the store waited for it to \
      end. A barrier waits for every block on its queue, so it needs a queue that only the store \
      uses.
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
      waited for it, though they share nothing but that queue. Each store's barriers need a queue \
      of their own.
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
      The store was created with \(kind.description) for its changes, and a change ran elsewhere. \
      Make the queue that was handed in the target of the store's own queue.
      """)
  }
}
