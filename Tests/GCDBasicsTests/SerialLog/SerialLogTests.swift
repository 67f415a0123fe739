import KataTesting
import Testing

/// Proves that appending never waits, that each message is formatted once, one at a time, in the order of
/// appending and away from the callers, and that reading waits for what was appended before it and for
/// nothing later.
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
      The caller appended one, two and three, then asked for the entries. All three must be there, \
      formatted, in that order. In append, submit the work to a serial queue with async; in \
      entries, ask the same queue with sync.
      """)
  }

  @Test func `each message is an entry, whatever it says`() throws {
    let log = SerialLog { [timeline] message in
      timeline.mark("format", message)
      return "[\(message)]"
    }
    #expect(
      try mustReturn("entries") { log.entries } == [],
      "Nothing has been appended yet, and there are entries.")
    let messages = ["again", "again", "", "two\nlines", "\n", " ", "again"]
    let entries = try mustReturn("entries") {
      for message in messages { log.append(message) }
      return log.entries
    }
    #expect(
      entries == messages.map { "[\($0)]" },
      """
      Seven messages were appended, some of them equal, one empty and one of two lines, and each is \
      an entry, as format has made it: something that happens twice has happened twice, and a message \
      of two lines is one message.
      """)
    #expect(
      try mustReturn("entries") { log.entries } == entries,
      "The entries were asked for a second time, and nothing was appended; they must be the same.")
    #expect(
      timeline.events.map(\.kind) == messages.map { .mark($0) },
      """
      Seven messages were appended and the entries asked for, and format was called with \
      \(timeline.events.count) of them. It must be called once for each message, also where it has \
      had an equal one, and not again when somebody asks.
      """)
  }

  @Test func `messages are formatted though nobody asks`() throws {
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
      A message was appended, nobody asks for the entries, and format was called \
      \(timeline.events.count) times. A log is written when something happens, not when it's read.
      """)
    _ = try mustReturn("entries") {
      caller.note()
      return log.entries
    }
    #expect(
      timeline.events.allSatisfy { $0.kind == .mark("away from callers") },
      "A message was formatted on a caller's thread, which has to wait for that; use the log's queue."
    )
  }

  @Test func `messages are formatted though nobody keeps the log`() {
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
        Two messages were appended, and then nobody kept the log any more; both must be formatted all \
        the same. Let the block on the queue keep the log until it has run.
        """))
  }
}

extension SerialLog: OpaqueMirror {}
