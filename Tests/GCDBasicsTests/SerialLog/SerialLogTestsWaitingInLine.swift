import KataTesting
import Testing

extension SerialLogTests {
  // caller            the log
  // appends the first
  //                   formats it, and is held there
  // appends more,
  // reads the entries
  // waits                                            another thread appends one
  // gets them         formats that, and is held there
  @Test(arguments: [2, 3, 9])
  func `however many messages wait, entries doesn't wait for later ones`(count: Int) throws {
    let (goOn, ahead) = (Gate("append the others"), Gate("release the caller's messages"))
    let behind = Gate("release the later message")
    let log = SerialLog { message in
      (message == "later" ? behind : ahead).wait()
      return message
    }
    let messages = (1...count).map { "\($0)" }
    let caller = TestThread("entries") {
      log.append(messages[0])
      goOn.wait()
      for message in messages.dropFirst() { log.append(message) }
      return log.entries
    }
    runUntilQuiet()
    goOn.open()
    runUntilQuiet()
    try mustReturn("append") { log.append("later") }
    ahead.open()
    runUntilQuiet()
    try #require(
      caller.hasReturned,
      """
      While one message was being formatted, the caller appended more and read the entries; after \
      that, another thread appended one. All of the caller's messages have been formatted, and \
      entries still waits for the later one, which it mustn't do.
      """)
    behind.open()
    #expect(
      try caller.result() == messages,
      """
      The caller's messages were formatted, the later one not yet, when entries returned: it must \
      return the caller's messages and nothing else.
      """)
  }

  // another log         the log
  // formats one: it
  // appends to the log  formats one, and is held there
  // and reads the log
  // waits
  @Test func `entries waits for what another log's format appended`() throws {
    let release = Gate("release the formatter")
    let log = SerialLog { message in
      release.wait()
      return message
    }
    let other = SerialLog { message in
      log.append(message)
      return log.entries.joined()
    }
    let caller = TestThread("the other log's entries") {
      other.append("one")
      return other.entries
    }
    let waits = caller.isBlocked()
    #expect(
      waits,
      """
      The format of one log appended a message to another log and read the entries there, while \
      that message was being formatted. entries returned without it: it must wait for its \
      caller's messages, even if the caller is another log's format.
      """)
    guard waits else { return }
    release.open()
    #expect(
      try caller.result() == ["one"],
      "entries returned after the message was formatted, but the message isn't among them.")
  }

  @Test func `entries waits for what another thread has appended`() throws {
    let release = Gate("release the formatter")
    let log = SerialLog { message in
      release.wait()
      return message
    }
    try mustReturn("append") { log.append("one") }
    let reader = TestThread("entries") { log.entries }
    let waits = reader.isBlocked()
    #expect(
      waits,
      """
      One thread's append had returned, and its message was still being formatted, when another \
      thread read the entries. entries returned without the message: it must wait for all that has \
      been appended before, on whichever thread.
      """)
    guard waits else { return }
    release.open()
    #expect(
      try reader.result() == ["one"],
      "entries returned after the message was formatted, but the message isn't among them.")
  }
}
