import Dispatch
import Foundation
import KataTesting
import Testing

extension BarrierScopeTests {
  // MARK: - In which order

  @Test(arguments: HandedInQueue.allCases)
  func `update returns while a reader is inside`(kind: HandedInQueue) throws {
    let store = ScopedStore(0, on: kind.make())
    let release = Gate("release the reader")
    try readerEnters(store, until: release)
    _ = TestThread("update") { [timeline] in timeline.visit("update") { store.update { $0 = 1 } } }
    timeline.expect(
      """
      reader  ├──────────────…
      update       ├────┤
      """,
      """
      update waits until the reader has left. A change is put in line, and its caller goes on: use \
      async.
      """)
  }

  // the queue     caller
  // suspended
  //               asks for changes, then for the value
  //               waits
  // resumed
  //               sees its changes
  @Test(arguments: HandedInQueue.own, ["value", "read"])
  func `a read sees the changes that its caller has asked for`(
    kind: HandedInQueue, call: String
  ) throws {
    let queue = kind.make()
    let store = ScopedStore([Int](), on: queue)
    queue.suspend()
    let caller = TestThread(call) {
      for number in 1...3 { store.update { $0.append(number) } }
      return call == "value" ? store.value : store.read { $0 }
    }
    let isEarly = !caller.isBlocked()
    queue.resume()
    let numbers = try caller.result()
    #expect(
      !isEarly && numbers == [1, 2, 3],
      """
      A caller asked for 1, 2 and 3 to be appended, and then for the value, while the queue was busy \
      elsewhere, and was answered \(numbers). Changes are made in the order of asking, and reads must \
      wait in the same line.
      """)
  }

  @Test(arguments: HandedInQueue.allCases)
  func `a read waits for no change that is asked for later`(kind: HandedInQueue) throws {
    let store = ScopedStore(0, on: kind.make())
    let (release, releaseReader) = (Gate("release the writer"), Gate("release the reader"))
    try writerEnters(store, until: release)
    timeline.asks("reader") { [timeline] in
      store.read { _ in timeline.visit("reader", until: releaseReader) }
    }
    runUntilQuiet()
    asksToWrite(store, "writer 2")
    runUntilQuiet()
    release.open()
    timeline.expect(
      """
      writer    ├──────────────┤
      reader         ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      writer 2            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      """,
      """
      Given \(kind.description), a reader waited for a change that was being made, and meanwhile \
      another change was asked for. When the first one was done, the reader still had to wait. If \
      changes keep coming it never gets its turn: changes that are asked for later wait for the read.
      """)
    releaseReader.open()
    timeline.expect(
      """
      writer    ├──────────────┤
      reader         ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      writer 2            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      """, "Everybody has left, but the writer 2 that waited never came in.")
  }

  @Test func `changes are made though the store is let go of`() throws {
    let queue = HandedInQueue.concurrent.make()
    queue.suspend()
    let caller = TestThread("update") { [timeline] in
      let store = ScopedStore(0, on: queue)
      store.update { _ in timeline.mark("change", "made") }
    }
    runUntilQuiet()
    queue.resume()
    try caller.result()
    eventually(
      """
      A change was asked for, and then the store was let go of before its turn came; it was never \
      made. What is in line must keep alive what it needs.
      """
    ) { !timeline.events.isEmpty }
  }

  // MARK: - Many

  @Test(arguments: HandedInQueue.allCases)
  func `the changes of many threads are all made, in order`(kind: HandedInQueue) throws {
    let store = ScopedStore([Int](), on: kind.make())
    try TestThread.race("changing thread", threads: 4) { thread in
      for number in 0..<10 {
        store.update { $0.append(thread * 10 + number) }
        _ = store.value
      }
    }
    let numbers = try mustReturn("value") { store.value }
    #expect(
      numbers.sorted() == Array(0..<40),
      "Four threads appended ten numbers each; numbers were lost or doubled.")
    for thread in 0..<4 {
      #expect(
        numbers.filter { $0 / 10 == thread } == Array(thread * 10..<thread * 10 + 10),
        "The changes that one thread asked for must be made in the order of asking.")
    }
  }

  @Test func `two threads may ask for changes`() throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...4 {
      let store = ScopedStore(0, on: HandedInQueue.global.make())
      try RelaxedRendezvous.meet(
        "update", { store.update { $0 += 1 } }, { store.update { $0 += 1 } })
      #expect(
        try mustReturn("value") { store.value } == 2,
        "Two threads asked for a change each, and one was lost.")
    }
  }

  // Nothing orders the two, and nothing needs to.
  @Test func `two threads may look`() throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...4 {
      let store = ScopedStore(1, on: HandedInQueue.global.make())
      let seen = LockedValue(0)
      try RelaxedRendezvous.meet("value", { seen.set(store.value) }, { _ = store.value })
      #expect(seen.value == 1, "Two threads looked, and one saw \(seen.value) in place of 1.")
    }
  }

  @Test func `readers and writers keep the rules in any order`() {
    playScripts(of: ReadersAndWriters<RuledStoreOnGlobal>.self, scripts: 6)
    playScripts(of: ReadersAndWriters<RuledStoreOnConcurrent>.self, scripts: 6)
  }
}
