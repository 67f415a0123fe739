import Dispatch
import Foundation
import KataTesting
import Testing

extension BarrierScopeTests {
  // MARK: - Order

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
      update waited until the reader had left. Submit the change with async, and let the caller go \
      on.
      """)
  }

  // the queue     caller
  // suspended
  //               submits changes, then reads
  //               waits
  // resumed
  //               sees its changes
  @Test(arguments: HandedInQueue.own, ["value", "read"])
  func `a read sees the changes that its caller submitted`(
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
      A caller called update to append 1, 2 and 3, and then read the value, while the queue was \
      busy; it got \(numbers). Changes must be made in the order of the calls, and a read must \
      wait for the changes before it.
      """)
  }

  // the queue    a change    a reader    another change
  // suspended
  //              waits
  //                          waits
  //                                      waits
  // resumed      is made
  //                          sees it
  //                                      is made
  @Test(arguments: HandedInQueue.own)
  func `a read between two changes that wait sees the first alone`(kind: HandedInQueue) throws {
    let queue = kind.make()
    let store = ScopedStore([Int](), on: queue)
    queue.suspend()
    _ = TestThread("update") { store.update { $0.append(1) } }
    runUntilQuiet()
    let reader = TestThread("value") { store.value }
    runUntilQuiet()
    _ = TestThread("update") { store.update { $0.append(2) } }
    runUntilQuiet()
    queue.resume()
    let early = try reader.result()
    #expect(
      early == [1],
      """
      While the queue was busy, update was called to append 1, then a reader asked for the value, \
      and then update was called to append 2. The reader got \(early) and must get [1]: the second \
      change waits for the read.
      """)
    let all = try TestThread("value") { store.value }.result()
    #expect(all == [1, 2], "Both changes must be made. The value is \(all).")
  }

  @Test(arguments: HandedInQueue.allCases)
  func `a read doesn't wait for changes that are submitted later`(kind: HandedInQueue) throws {
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
      Given \(kind.description), a reader waited for a running change, and meanwhile another \
      change was submitted. When the first change was done, the reader still had to wait. If \
      changes keep coming, such a read starves: changes that are submitted later must wait for it.
      """)
    releaseReader.open()
    timeline.expect(
      """
      writer    ├──────────────┤
      reader         ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      writer 2            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      """, "The reader has left, but writer 2, which waited, never came in.")
  }

  // writer            reader
  // is inside
  //                   asks, and waits
  // calls update
  // leaves
  //                   reads what the writer has written
  @Test(arguments: HandedInQueue.allCases)
  func `a change that is submitted in a change waits for an earlier read`(
    kind: HandedInQueue
  ) throws {
    let store = ScopedStore([Int](), on: kind.make())
    let release = Gate("release the writer")
    try mustReturn("update") {
      store.update { numbers in
        release.wait()
        numbers.append(1)
        store.update { $0.append(2) }
      }
    }
    let reader = TestThread("value") { store.value }
    runUntilQuiet()
    release.open()
    let early = try reader.result()
    #expect(
      early == [1],
      """
      Given \(kind.description), a reader waited for a running change, which appended 1 and \
      called update to append 2. The reader got \(early) and must get [1]: a change whose update \
      is called later waits for the read, even if a change calls it.
      """)
    let all = try TestThread("value") { store.value }.result()
    #expect(
      all == [1, 2],
      "A change called update to append 2, which must be made. The value is \(all).")
  }

  @Test func `a change is made even if the store is released`() throws {
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
      A change was submitted, and the last reference to the store was released before it could \
      run; it was never made. A submitted change must keep alive what it needs.
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
      "Four threads appended ten numbers each; numbers were lost or added twice.")
    for thread in 0..<4 {
      #expect(
        numbers.filter { $0 / 10 == thread } == Array(thread * 10..<thread * 10 + 10),
        "The changes that one thread submitted must be made in that order.")
    }
  }

  @Test func `two threads may submit changes at the same time`() throws {
    // Several times, because Thread Sanitizer occasionally misses a pair of accesses.
    for _ in 1...4 {
      let store = ScopedStore(0, on: HandedInQueue.global.make())
      try RelaxedRendezvous.meet(
        "update", { store.update { $0 += 1 } }, { store.update { $0 += 1 } })
      #expect(
        try mustReturn("value") { store.value } == 2,
        "Two threads submitted a change each, and one was lost.")
    }
  }

  // Nothing orders the two reads, and nothing needs to.
  @Test func `two threads may read at the same time`() throws {
    // Several times, because Thread Sanitizer occasionally misses a pair of accesses.
    for _ in 1...4 {
      let store = ScopedStore(1, on: HandedInQueue.global.make())
      let seen = LockedValue(0)
      try RelaxedRendezvous.meet("value", { seen.set(store.value) }, { _ = store.value })
      #expect(seen.value == 1, "Two threads read the value 1, and one of them got \(seen.value).")
    }
  }

  @Test func `readers and writers keep the rules in any order`() {
    playScripts(of: ReadersAndWriters<RuledStoreOnGlobal>.self, scripts: 6)
    playScripts(of: ReadersAndWriters<RuledStoreOnConcurrent>.self, scripts: 6)
  }
}
