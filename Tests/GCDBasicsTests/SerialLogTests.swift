import KataTesting
import Testing

@Suite(.serialized, .kata) struct SerialLogTests {
  private let timeline = Timeline()

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
    let caller = Participant("append") { timeline.visit("append") { log.append("slow") } }
    runUntilQuiet()
    #expect(
      caller.hasReturned,
      timeline.showing(
        """
        append waits until its message is formatted, so every slow format holds up whoever writes \
        to the log. Hand the work to the queue and return: async, not sync.
        """))
  }

  // caller        the log
  // appends
  //               formats, and is held there
  // asks for the
  // entries       …
  // must wait
  @Test func `entries waits for what its caller appended`() throws {
    let release = Gate("release the formatter")
    let log = SerialLog { message in
      timeline.visit("formatting", until: release)
      return message
    }
    let caller = Participant("entries") {
      log.append("one")
      return timeline.visit("entries") { log.entries }
    }
    runUntilQuiet()
    try #require(
      !caller.hasReturned,
      timeline.showing(
        """
        The caller appended a message and asked for the entries while the message was still being \
        formatted. entries answered without it: it must wait its turn on the same queue.
        """))
    release.open()
    #expect(
      try caller.result() == ["one"],
      "entries came back after the message was formatted, but the message isn't among them.")
  }

  @Test func `messages are formatted one at a time`() throws {
    let release = Gate("release the formatter")
    let log = SerialLog { message in
      timeline.visit("formatting \(message)", until: release)
      return message
    }
    let callers = ["one", "two"].map { message in Participant("append") { log.append(message) } }
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
    try race("appending thread", threads: 4) { thread in
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
    try race("thread", threads: 4) { thread in
      for number in 0..<10 {
        if thread == 0 { _ = log.entries } else { log.append("\(thread)-\(number)") }
      }
    }
    #expect(
      try mustReturn("entries") { log.entries }.count == 30,
      "Three threads appended ten messages each while a fourth read them; entries were lost.")
  }
}

extension SerialLog: Unreflected {}
