import KataTesting
import Testing

/// Proves that appending never waits, and that reading waits only for what was appended before it.
///
/// Each message is formatted once, one at a time, in the order of appending, and never on a
/// caller's thread.
@Suite(.serialized, .kata) struct SerialLogTests {
  let timeline = Timeline()

  @Test func `entries stand in the order of appending`() throws {
    let log = SerialLog { "[\($0)]" }
    let entries = try mustReturn("entries") {
      log.append("one")
      log.append("two")
      log.append("three")
      return log.entries
    }
    #expect(
      entries == ["[one]", "[two]", "[three]"],
      """
      The caller appended one, two and three, then read the entries. All three must be there, \
      formatted, in that order. In append, submit the work to a serial queue with async; in \
      entries, read the result with sync on the same queue.
      """)
  }

  @Test func `each message is an entry, whatever it says`() throws {
    let log = SerialLog { [timeline] message in
      timeline.mark("format", message)
      return "[\(message)]"
    }
    #expect(
      try mustReturn("entries") { log.entries } == [],
      "Nothing has been appended yet, but entries isn't empty.")
    let messages = ["again", "again", "", "two\nlines", "\n", " ", "again"]
    let entries = try mustReturn("entries") {
      for message in messages { log.append(message) }
      return log.entries
    }
    #expect(
      entries == messages.map { "[\($0)]" },
      """
      Seven messages were appended, among them equal ones, an empty one and one with two lines. \
      Each must become one entry, just as format has returned it: what happens twice is logged \
      twice.
      """)
    #expect(
      try mustReturn("entries") { log.entries } == entries,
      """
      The entries were read a second time, and nothing was appended in between. They must be the \
      same.
      """)
    #expect(
      timeline.events.map(\.kind) == messages.map { .mark($0) },
      """
      Seven messages were appended and the entries read, and format was called \
      \(timeline.events.count) times. It must be called once for each message, in their order, \
      even if it has had an equal one, and not again when the entries are read.
      """)
  }

  @Test func `messages are formatted even if entries is never read`() throws {
    let caller = ThreadMark()
    let log = SerialLog { [timeline] message in
      timeline.mark("formatted", caller.isCurrent ? "by a caller" : "away from callers")
      return message
    }
    try mustReturn("append") {
      caller.note()
      log.append("one")
    }
    runUntilQuiet()
    #expect(
      timeline.events.count == 1,
      """
      A message was appended and the entries were never read; format was called \
      \(timeline.events.count) times. It must be called once all the same: a log is written when \
      something happens, not when it's read.
      """)
    _ = try mustReturn("entries") {
      caller.note()
      return log.entries
    }
    #expect(
      timeline.events.allSatisfy { $0.kind == .mark("away from callers") },
      """
      A message was formatted on a caller's thread, which had to wait for it. Format it on the \
      log's queue.
      """
    )
  }

  @Test func `messages are formatted even if the log is released`() {
    let release = Gate("release the formatter")
    _ = TestThread("append") { [timeline] in
      let log = SerialLog { message in
        timeline.visit(message, until: release)
        return message
      }
      log.append("one")
      log.append("two")
    }
    runUntilQuiet()
    release.open()
    runUntilQuiet()
    #expect(
      timeline.orderOfLeaving == ["one", "two"],
      timeline.showing(
        """
        Two messages were appended, and then the log was released. Both must be formatted all the \
        same, in that order. Let the block on the queue retain the log until it has run.
        """))
  }
}

extension SerialLog: OpaqueMirror {}
