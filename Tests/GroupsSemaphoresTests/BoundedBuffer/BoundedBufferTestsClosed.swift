import Foundation
import KataTesting
import Testing

extension BoundedBufferTests {
  // MARK: - Closed

  @Test func `close wakes every thread that waits for an element`() throws {
    let belt = Belt(capacity: 2)
    let takers = (1...3).map { _ in belt.take() }
    let allWait = belt.timeline.expect(
      """
      taker 1  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      taker 2       ┆┄┄┄┄┄┄┄┄┄…
      taker 3            ┆┄┄┄┄…
      """, "The buffer is empty and open, so takers must wait.")
    guard allWait else { return }
    try belt.close()
    runUntilQuiet()
    let waiting = takers.count { !$0.hasReturned }
    try #require(
      waiting == 0,
      belt.timeline.showing(
        """
        Three takers waited at an empty buffer. It was closed, so no element will ever come, but \
        \(waiting) of them still wait, and each blocks a thread for ever. One signal wakes one \
        thread; a thread that close has woken can wake the next.
        """))
    for taker in takers {
      #expect(try taker.result() == nil, "Nothing was ever put, so take must return nil.")
    }
  }

  @Test func `close wakes every thread that waits for a place`() throws {
    let belt = Belt(capacity: 1)
    try belt.putWithRoom(1)
    let putters = [belt.put(2), belt.put(3), belt.put(4)]
    let allWait = belt.timeline.expect(
      """
      put(2)  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      put(3)       ┆┄┄┄┄┄┄┄┄┄…
      put(4)            ┆┄┄┄┄…
      """, "The buffer is full, so putters must wait.")
    guard allWait else { return }
    try belt.close()
    runUntilQuiet()
    let waiting = putters.count { !$0.hasReturned }
    try #require(
      waiting == 0,
      belt.timeline.showing(
        """
        Three putters waited at a full buffer. It was closed, so nothing gets in any more, but \
        \(waiting) of them still wait, and each blocks a thread for ever. close must wake the \
        threads in put and those in take.
        """))
    for putter in putters {
      #expect(
        try !putter.result(), "put must return false if the buffer was closed while it waited.")
    }
    let rest: [Int?] = [try belt.takeAtOnce(), try belt.takeAtOnce()]
    #expect(
      rest == [1, nil],
      """
      1 was in when the buffer was closed, so take must return 1 and then nil. The elements of the \
      waiting putters mustn't get in: put returned false for them.
      """)
  }

  // A woken thread needs some time until it runs, and by then there is room again. Several rounds,
  // because now and then the woken thread is quicker.
  @Test func `a put that waits when the buffer is closed is refused`() throws {
    for _ in 1...8 {
      let belt = Belt(capacity: 1)
      let buffer = belt.buffer
      try belt.putWithRoom(1)
      let putter = belt.put(2)
      try #require(putter.isBlocked(), "The buffer is full, so a putter must wait.")
      let taken = try mustReturn("close and take, in a row,") {
        buffer.close()
        return buffer.take()
      }
      #expect(taken == 1, "1 was in when the buffer was closed, so it must be taken first.")
      let isIn = try putter.result("The buffer was closed, so put must stop waiting.")
      let rest = try belt.takeAtOnce()
      try #require(
        !isIn && rest == nil,
        belt.timeline.showing(
          """
          put(2) was waiting when the buffer was closed, and 2 got in. A take had made room before the \
          waiting thread ran, but nothing may get in after close. After a wait, check first whether the \
          buffer is closed, then whether there is room.
          """))
    }
  }

  // A woken thread needs some time until it runs, and by then the buffer is closed. Several rounds,
  // because now and then the woken thread is quicker.
  @Test func `a take that waits gets an element put before the close`() throws {
    for _ in 1...8 {
      let belt = Belt(capacity: 1)
      let buffer = belt.buffer
      let taker = belt.take()
      try #require(taker.isBlocked(), "The buffer is empty and open, so a taker must wait.")
      let isIn = try mustReturn("put and close, in a row,") {
        defer { buffer.close() }
        return buffer.put(1)
      }
      #expect(isIn, "There is room, and the buffer wasn't closed yet, so put must return true.")
      let taken = try taker.result("1 was put, and the buffer closed, so take must stop waiting.")
      try #require(
        taken == 1,
        belt.timeline.showing(
          """
          take was waiting when 1 was put, then the buffer was closed, and take didn't return 1. nil \
          means that no element is left. After a wait, check first whether there is an element, then \
          whether the buffer is closed.
          """))
    }
  }

  @Test func `no call waits at a closed buffer, however many there are`() throws {
    let buffer = BoundedBuffer<Int>(capacity: 2)
    let advice: Comment = """
      The buffer is closed, so no call may wait, however many there are. A call that finds it closed \
      mustn't use up what close has signalled.
      """
    try mustReturn("close") { buffer.close() }
    let nils = try mustReturn("take, ten thousand times,", advice) {
      (1...10_000).count { _ in buffer.take() == nil }
    }
    let refused = try mustReturn("put, ten thousand times,", advice) {
      (1...10_000).count { number in !buffer.put(number) }
    }
    #expect(
      nils == 10_000 && refused == 10_000,
      "The buffer is empty and closed: take must return nil and put false, however often.")
  }

  @Test func `what is left in a closed buffer can be taken`() throws {
    let belt = Belt(capacity: 2)
    for number in [1, 2] { try belt.putWithRoom(number) }
    for _ in 1...2 { try belt.close() }
    let late = try belt.put(3).result("The buffer is closed, so put must not wait.")
    #expect(!late, "put must return false if the buffer was closed before.")
    let rest: [Int?] = try (1...4).map { _ in try belt.takeAtOnce() }
    #expect(
      rest == [1, 2, nil, nil],
      """
      1 and 2 were in when the buffer was closed (twice, which changes nothing). put returned true \
      for them, so take must return them, and nil after that, as often as it's called.
      """)
    let afterwards = try belt.put(4).result("The buffer is closed, so put must not wait.")
    #expect(!afterwards, "There is room again, but the buffer is closed: put must return false.")
  }
}
