import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that changes are made in order, alone in the store, without holding their callers, that reads
/// overlap and see earlier changes, and that others on a shared concurrent queue neither delay a change nor
/// are delayed by it.
@Suite(.serialized, .kata) struct BarrierScopeTests {
  private let timeline = Timeline()

  @Test(arguments: HandedInQueue.allCases)
  func `a change is there to read`(kind: HandedInQueue) throws {
    let store = ScopedStore([Int](), on: kind.make())
    for number in 1...2 {
      try mustReturn("update") { store.update { $0.append(number) } }
      // One change at a time: what happens when they meet is for the tests below.
      runUntilQuiet()
    }
    let numbers = try mustReturn("value") { store.value }
    #expect(
      numbers == [1, 2],
      """
      Given \(kind.description), the store was told to append 1, then 2; it has \(numbers). Begin \
      with update: let it change the value.
      """)
  }

  @Test(arguments: HandedInQueue.wide) func `reads overlap`(kind: HandedInQueue) {
    let store = ScopedStore(0, on: kind.make())
    let release = Gate("release the readers")
    for reader in 1...20 {
      _ = TestThread("reader") {
        store.read { _ in timeline.visit("reader \(reader)", until: release) }
      }
    }
    runUntilQuiet()
    let inside = timeline.inside.count
    #expect(
      inside == 20,
      """
      Given \(kind.description), 20 readers came at once, and \(inside) are inside. The store must let \
      all of them in: reading changes nothing.
      """)
  }

  @Test(arguments: HandedInQueue.allCases)
  func `read calls its closure on the calling thread`(kind: HandedInQueue) throws {
    let store = ScopedStore(0, on: kind.make())
    let isSame = try mustReturn("read") {
      let caller = Thread.current
      return store.read { _ in Thread.current === caller }
    }
    #expect(
      isSame,
      """
      Given \(kind.description), read called its closure on another thread. Its caller waits anyway: \
      let it run there.
      """)
  }

  @Test(arguments: HandedInQueue.allCases)
  func `a read that throws is over`(kind: HandedInQueue) throws {
    let store = ScopedStore(0, on: kind.make())
    #expect(
      throws: UnreadableValue.self,
      "The closure of a read threw, and nobody heard of it: rethrow its error."
    ) {
      try mustReturn("read") { try store.read { _ in throw UnreadableValue() } }
    }
    let value = try mustReturn(
      "value", "A read before it has thrown. What a read takes must be given back on every way out."
    ) {
      store.update { $0 = 1 }
      return store.value
    }
    #expect(value == 1, "A read threw, then the value was changed to 1; it's \(value).")
  }

  // MARK: - Alone, whatever the queue

  @Test(arguments: HandedInQueue.allCases)
  func `a write excludes reads`(kind: HandedInQueue) throws {
    let store = ScopedStore(0, on: kind.make())
    let release = Gate("release the writer")
    try writerEnters(store, until: release)
    timeline.asks("reader") { [timeline] in store.read { _ in timeline.visit("reader") {} } }
    timeline.expect(
      """
      writer  ├─────────…
      reader       ┆┄┄┄┄…
      """, letIn("a reader", beside: "a writer", kind))
    release.open()
    timeline.expect(
      """
      writer  ├─────────┤
      reader       ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "Everybody has left, but the reader that waited never came in.")
  }

  @Test(arguments: HandedInQueue.allCases)
  func `reads exclude a write`(kind: HandedInQueue) throws {
    let store = ScopedStore(0, on: kind.make())
    let release = Gate("release the reader")
    try readerEnters(store, until: release)
    asksToWrite(store, "writer")
    timeline.expect(
      """
      reader  ├─────────…
      writer       ┆┄┄┄┄…
      """, letIn("a writer", beside: "a reader", kind))
    release.open()
    timeline.expect(
      """
      reader  ├─────────┤
      writer       ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "Everybody has left, but the writer that waited never came in.")
  }

  @Test(arguments: HandedInQueue.allCases)
  func `a write excludes writes`(kind: HandedInQueue) throws {
    let store = ScopedStore(0, on: kind.make())
    let release = Gate("release the writer")
    try writerEnters(store, until: release)
    asksToWrite(store, "writer 2")
    timeline.expect(
      """
      writer    ├─────────…
      writer 2       ┆┄┄┄┄…
      """, letIn("a second writer", beside: "the first", kind))
    release.open()
    timeline.expect(
      """
      writer    ├─────────┤
      writer 2       ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "Everybody has left, but the writer 2 that waited never came in.")
  }

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
    let isEarly = !caller.isBlocked
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
    try race("changing thread", threads: 4) { thread in
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
      try meet("update", { store.update { $0 += 1 } }, { store.update { $0 += 1 } })
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
      let seen = Locked(0)
      try meet("value", { seen.set(store.value) }, { _ = store.value })
      #expect(seen.value == 1, "Two threads looked, and one saw \(seen.value) in place of 1.")
    }
  }

  @Test func `readers and writers keep the rules in any order`() {
    playScripts(of: ReadersAndWriters<RuledStoreOnGlobal>.self, scripts: 6)
    playScripts(of: ReadersAndWriters<RuledStoreOnConcurrent>.self, scripts: 6)
  }

  // MARK: - Moves

  /// A writer is inside the store and stays there until `gate` opens.
  private func writerEnters(_ store: ScopedStore<Int>, until gate: Gate) throws {
    let timeline = timeline
    _ = TestThread("writer") { store.update { _ in timeline.visit("writer", until: gate) } }
    try #require(
      eventually("update never ran the change that it was given.") { timeline.isInside("writer") })
  }

  /// A reader is inside the store and stays there until `gate` opens.
  private func readerEnters(_ store: ScopedStore<Int>, until gate: Gate) throws {
    let timeline = timeline
    _ = TestThread("reader") { store.read { _ in timeline.visit("reader", until: gate) } }
    try #require(eventually("read never called its body.") { timeline.isInside("reader") })
  }

  /// Somebody asks for a change.
  private func asksToWrite(_ store: ScopedStore<Int>, _ who: String) {
    timeline.asks(who) { [timeline] in store.update { _ in timeline.visit(who) {} } }
  }

  /// The sentence where the store lets two in at once, of whom one writes.
  private func letIn(_ second: String, beside first: String, _ kind: HandedInQueue) -> String {
    let advice =
      kind == .global
      ? "The system ignores barriers on its global queues; the store needs a queue of its own."
      : "A write must run alone."
    return "Given \(kind.description), the store let \(second) in beside \(first). \(advice)"
  }
}

/// What a read throws.
private struct UnreadableValue: Error {}

extension ScopedStore: OpaqueMirror {}
