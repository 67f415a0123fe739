import KataTesting
import Testing

extension SerialLogTests {
  // MARK: - Who waits

  // caller        the log
  // appends
  //               formats
  // must go on    (busy)
  @Test func `append returns while a message is being formatted`() {
    let release = Gate("release the formatter")
    let log = SerialLog { message in
      timeline.visit("formatting \(message)", until: release)
      return message
    }
    let caller = TestThread("append") { timeline.visit("append") { log.append("slow") } }
    runUntilQuiet()
    #expect(
      caller.hasReturned,
      timeline.showing(
        """
        append waits until its message is formatted, so every slow format holds up whoever writes \
        to the log. Hand the work to the queue and return: async, not sync.
        """))
  }

  @Test func `entries waits for what its caller appended`() throws {
    let release = Gate("release the formatter")
    let log = SerialLog { message in
      timeline.visit("formatting", until: release)
      return message
    }
    let caller = timeline.asks("caller") { [timeline] in
      log.append("one")
      let entries = log.entries
      return timeline.visit("caller") { entries }
    }
    let waits = timeline.expect(
      """
      caller      ┆┄┄┄┄┄┄┄┄┄…
      formatting       ├────…
      """,
      """
      The caller appended a message and asked for the entries while the message was still being \
      formatted. entries answered without it: it must wait its turn on the same queue.
      """)
    guard waits else { return }
    release.open()
    #expect(
      try caller.result() == ["one"],
      "entries came back after the message was formatted, but the message isn't among them.")
  }

  // caller        the log       somebody else
  // appends one   formats one
  // asks for the
  // entries
  // waits                       appends two
  // has them      formats two, and is held there
  @Test func `entries doesn't wait for what is appended later`() throws {
    let (first, second) = (Gate("release one"), Gate("release two"))
    let log = SerialLog { [timeline] message in
      timeline.visit("formatting \(message)", until: message == "one" ? first : second)
      return message
    }
    let caller = TestThread("entries") { [timeline] in
      log.append("one")
      return timeline.visit("entries") { log.entries }
    }
    runUntilQuiet()
    try mustReturn("append") { log.append("two") }
    first.open()
    runUntilQuiet()
    try #require(
      caller.hasReturned,
      timeline.showing(
        """
        The caller appended one and asked for the entries; after that somebody else appended two. One \
        has been formatted, two is just being formatted, and entries waits for that as well: in a log \
        that is written to all the time it would never return. Wait for your turn in the queue, not \
        until nothing is left to do.
        """))
    second.open()
    #expect(
      try caller.result() == ["one"],
      "One was formatted, two not yet, when entries returned; so these are not the entries so far.")
  }

  @Test func `two logs don't wait for each other`() throws {
    let release = Gate("release the formatter")
    let busy = SerialLog { [timeline] message in
      timeline.visit("formatting \(message)", until: release)
      return message
    }
    _ = TestThread("append") { busy.append("slow") }
    runUntilQuiet()
    let entries = TestThread("the other log's entries") { [timeline] in
      timeline.visit("another log") {
        let log = SerialLog()
        log.append("one")
        return log.entries
      }
    }
    timeline.expect(
      """
      formatting slow  ├──────────────…
      another log           ├────┤
      """,
      """
      One log formats a message, which takes long, and another log's entries wait for it. What keeps \
      a log in order must belong to that log alone: make its queue a property.
      """)
    release.open()
    #expect(try entries.result() == ["one"], "One was appended to this log, and nothing else.")
  }

  // the log
  // formats outer, which appends inner and last
  // formats inner
  // formats last
  @Test func `format may append`() throws {
    let own = LockedValue<SerialLog?>(nil)
    defer { own.set(nil) }
    let log = SerialLog { [timeline] message in
      timeline.visit("formatting \(message)") {
        if message == "outer" {
          for message in ["inner", "last"] { own.value?.append(message) }
        }
        return message
      }
    }
    own.set(log)
    try mustReturn("append") { log.append("outer") }
    runUntilQuiet()
    #expect(
      timeline.largestNumberInside <= 1,
      timeline.showing(
        """
        While outer was being formatted, format itself appended two messages, and they were formatted \
        there and then, inside of the other: append always gets in line, on whatever thread it's called.
        """))
    #expect(
      try mustReturn("entries") { log.entries } == ["outer", "inner", "last"],
      """
      Outer was appended first; the other two were appended while it was being formatted, so they come \
      after it.
      """)
  }

  // MARK: - Many threads

  @Test func `messages are formatted one at a time`() throws {
    let release = Gate("release the formatter")
    let log = SerialLog { message in
      timeline.visit("formatting \(message)", until: release)
      return message
    }
    let callers = ["one", "two"].map { message in TestThread("append") { log.append(message) } }
    runUntilQuiet()
    #expect(
      timeline.largestNumberInside <= 1,
      timeline.showing(
        """
        Two messages were being formatted at the same moment. A log is one line after another: its \
        queue must be serial.
        """))
    release.open()
    for caller in callers { try caller.result() }
    #expect(
      try mustReturn("entries") { log.entries }.count == 2,
      "Two messages were appended, so there must be two entries.")
  }

  @Test func `nothing is lost when many threads append`() throws {
    let log = SerialLog()
    try TestThread.race("appending thread", threads: 4) { thread in
      for number in 0..<20 { log.append("\(thread)-\(number)") }
    }
    let entries = try mustReturn("entries") { log.entries }
    #expect(
      entries.count == 80,
      "Four threads appended twenty messages each; entries were lost or doubled.")
    for thread in 0..<4 {
      #expect(
        entries.filter { $0.hasPrefix("\(thread)-") } == (0..<20).map { "\(thread)-\($0)" },
        "The messages of one thread must stand in the order in which it appended them.")
    }
  }

  @Test func `entries may be read while others append`() throws {
    let log = SerialLog()
    try TestThread.race("thread", threads: 4) { thread in
      for number in 0..<10 {
        if thread == 0 { _ = log.entries } else { log.append("\(thread)-\(number)") }
      }
    }
    #expect(
      try mustReturn("entries") { log.entries }.count == 30,
      "Three threads appended ten messages each while a fourth read them; entries were lost.")
  }

  // caller        the log
  // appends many
  //               formats the first, and is held there
  // must go on
  @Test func `append returns, however much waits`() throws {
    let release = Gate("release the formatter")
    let log = SerialLog { message in
      release.wait()
      return message
    }
    let messages = (0..<20_000).map { "\($0)" }
    let caller = TestThread("append") { for message in messages { log.append(message) } }
    runUntilQuiet()
    #expect(
      caller.hasReturned,
      """
      Twenty thousand messages were appended while the first was being formatted: append must return \
      each time, however many wait already. A queue takes as many as come.
      """)
    release.open()
    try caller.result()
    let areAllThere = try mustReturn("entries") { log.entries } == messages
    #expect(
      areAllThere,
      "Twenty thousand messages were appended, and each of them must be an entry, in that order.")
  }
}
