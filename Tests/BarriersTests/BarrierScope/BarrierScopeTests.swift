import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that changes are made in order, one at a time, without blocking their callers; that reads
/// overlap and see earlier changes; and that a change and other blocks on a shared concurrent queue
/// don't delay each other.
@Suite(.serialized, .kata) struct BarrierScopeTests {
  let timeline = Timeline()

  @Test(arguments: HandedInQueue.allCases)
  func `a change that was made can be read`(kind: HandedInQueue) throws {
    let store = ScopedStore([Int](), on: kind.make())
    for number in 1...2 {
      try mustReturn("update") { store.update { $0.append(number) } }
      // One change at a time; the tests below cover what happens at the same time.
      runUntilQuiet()
    }
    let numbers = try mustReturn("value") { store.value }
    #expect(
      numbers == [1, 2],
      """
      Given \(kind.description), update was called to append 1, then 2, and the value is \
      \(numbers). Begin with update: let it change the value.
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
      Given \(kind.description), 20 readers came at the same time, but only \(inside) got inside. \
      Any number of them must be able to read side by side: reading changes nothing.
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
      Given \(kind.description), read called its closure on another thread. Its caller waits \
      anyway: run it there.
      """)
  }

  @Test(arguments: HandedInQueue.allCases, [false, true])
  func `a read ends even if its body throws`(kind: HandedInQueue, hasToWait: Bool) throws {
    let store = ScopedStore(0, on: kind.make())
    let (release, writerLeaves) = (Gate("the read throws"), Gate("release the writer"))
    if hasToWait { try writerEnters(store, until: writerLeaves) }
    let reader = TestThread("read") {
      try store.read { _ in
        release.wait()
        throw UnreadableValue()
      }
    }
    runUntilQuiet()
    writerLeaves.open()
    runUntilQuiet()
    _ = TestThread("update") { store.update { $0 = 1 } }
    runUntilQuiet()
    release.open()
    #expect(
      throws: UnreadableValue.self,
      "The closure of a read threw, and read didn't rethrow its error."
    ) { try reader.result() }
    let value = try mustReturn(
      "value",
      """
      While a read was running\(hasToWait ? ", which had waited for a change" : ""), update was \
      called. Then the read threw. Whatever a read holds must be released on every path out of it, \
      and the change that waits for it made.
      """
    ) { store.value }
    #expect(value == 1, "The value was changed to 1 during a read that threw, but it's \(value).")
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
      """, "The writer has left, but the reader that waited never came in.")
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
      """, "The reader has left, but the writer that waited never came in.")
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
      """, "The first writer has left, but writer 2, which waited, never came in.")
  }

  // MARK: - Moves

  /// A writer is inside the store and stays there until `gate` opens.
  func writerEnters(_ store: ScopedStore<Int>, until gate: Gate) throws {
    let timeline = timeline
    _ = TestThread("writer") { store.update { _ in timeline.visit("writer", until: gate) } }
    try #require(
      eventually("update never ran the change that it was given.") { timeline.isInside("writer") })
  }

  /// A reader is inside the store and stays there until `gate` opens.
  func readerEnters(_ store: ScopedStore<Int>, until gate: Gate) throws {
    let timeline = timeline
    _ = TestThread("reader") { store.read { _ in timeline.visit("reader", until: gate) } }
    try #require(eventually("read never called its body.") { timeline.isInside("reader") })
  }

  /// A thread submits a change.
  func asksToWrite(_ store: ScopedStore<Int>, _ who: String) {
    timeline.asks(who) { [timeline] in store.update { _ in timeline.visit(who) {} } }
  }

  /// The sentence if the store lets two in at once, at least one of them a writer.
  func letIn(_ second: String, beside first: String, _ kind: HandedInQueue) -> String {
    let advice =
      kind == .global
      ? "Dispatch ignores barriers on global queues; the store needs a queue of its own."
      : "A write must run alone."
    return "Given \(kind.description), the store let \(second) in beside \(first). \(advice)"
  }
}

/// What a read throws.
struct UnreadableValue: Error {}

extension ScopedStore: OpaqueMirror {}
