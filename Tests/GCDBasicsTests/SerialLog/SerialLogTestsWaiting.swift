import KataTesting
import Testing

extension SerialLogTests {
  // MARK: - Waiting

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
        append hasn't returned while its message is being formatted, so a slow format blocks every \
        thread that writes to the log. Submit the work to the queue and return: async, not sync.
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
      The caller appended a message and read the entries while the message was still being \
      formatted. entries returned without it: it must wait on the same queue, behind the message.
      """)
    guard waits else { return }
    release.open()
    #expect(
      try caller.result() == ["one"],
      "entries returned after the message was formatted, but the message isn't among them.")
  }

  // caller        the log       another thread
  // appends one   formats one
  // reads the
  // entries
  // waits                       appends two
  // gets them     formats two, and is held there
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
        The caller appended one and read the entries; after that, another thread appended two. One \
        has been formatted, and entries still waits while two is being formatted: in a log that is \
        always written to, it might never return. Wait only for the blocks ahead of you in the \
        queue, not until nothing is left to do.
        """))
    second.open()
    #expect(
      try caller.result() == ["one"],
      "One was formatted, two not yet, when entries returned: it must return one and nothing else.")
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
      One log was formatting a slow message, and a caller of another log had to wait. Logs must be \
      independent: make the queue a property, so that each log has its own.
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
        While outer was being formatted, format itself appended two messages, and they were \
        formatted before outer was done. append must always put its message in line, even on the \
        log's own queue.
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
        Two messages were being formatted at the same moment. They must be formatted one at a \
        time: the log's queue must be serial.
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
      """
      Four threads appended twenty messages each, so there must be 80 entries: none lost, none \
      twice.
      """)
    for thread in 0..<4 {
      #expect(
        entries.filter { $0.hasPrefix("\(thread)-") } == (0..<20).map { "\(thread)-\($0)" },
        "The messages of one thread must be in the order in which it appended them.")
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
      "Three threads appended ten messages each while a fourth read entries: 30 must be there.")
  }

  // caller        the log
  // appends many
  //               formats the first, and is held there
  // must go on
  @Test func `append returns, however many messages wait`() throws {
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
      Twenty thousand messages were appended while the first was being formatted, and append \
      stopped returning. It must return each time, however many messages wait: a queue takes any \
      number of blocks.
      """)
    release.open()
    try caller.result()
    let areAllThere = try mustReturn("entries") { log.entries } == messages
    #expect(
      areAllThere,
      "Twenty thousand messages were appended, and each of them must be an entry, in that order.")
  }
}
