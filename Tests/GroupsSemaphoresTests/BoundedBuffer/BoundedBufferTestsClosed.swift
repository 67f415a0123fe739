import Foundation
import KataTesting
import Testing

extension BoundedBufferTests {
  // MARK: - Closed

  @Test func `close lets everybody go who waits for an element`() throws {
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
        Three takers waited at an empty buffer. It was closed, so nothing will ever come, and \
        \(waiting) of them still wait: a thread each, for ever. One signal wakes one thread; \
        whoever is woken by close can wake the next.
        """))
    for taker in takers {
      #expect(try taker.result() == nil, "Nothing was ever put, so take must return nil.")
    }
  }

  @Test func `close lets everybody go who waits for a place`() throws {
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
        Three putters waited at a full buffer. It was closed, so nothing gets in any more, and \
        \(waiting) of them still wait: a thread each, for ever. close must wake both kinds of \
        sleepers.
        """))
    for putter in putters {
      #expect(
        try !putter.result(), "put must return false where the buffer was closed while it waited.")
    }
    let rest: [Int?] = [try belt.takeAtOnce(), try belt.takeAtOnce()]
    #expect(
      rest == [1, nil],
      """
      1 was in when the buffer was closed, and the elements of those who waited must not be: put \
      has told them so.
      """)
  }

  // Who is woken needs a while to get going, and by then there is room again. A few rounds, for now
  // and then a sleeper is quicker.
  @Test func `whoever waits for a place when it's closed doesn't get in`() throws {
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
      #expect(taken == 1, "1 was in when the buffer was closed, and must be taken first.")
      let isIn = try putter.result("The buffer was closed, so nobody may wait for a place.")
      let rest = try belt.takeAtOnce()
      try #require(
        !isIn && rest == nil,
        belt.timeline.showing(
          """
          2 waited for a place when the buffer was closed, and got in: when it was woken, somebody had \
          made room already. Nothing gets in after close: whoever is woken looks first whether the \
          buffer is closed, then whether there is room.
          """))
    }
  }

  // Who is woken needs a while to get going, and by then the buffer is closed. A few rounds, for now
  // and then a sleeper is quicker.
  @Test func `whoever waits for an element gets it, closed or not`() throws {
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
      let taken = try taker.result("1 was put, and the buffer was closed, so nobody has to wait.")
      try #require(
        taken == 1,
        belt.timeline.showing(
          """
          A taker waited; 1 was put, and then the buffer was closed. When the taker was woken it found \
          the buffer closed, and returned nil, though 1 is in. nil says that nothing is left: whoever \
          is woken looks first whether there's an element, then whether the buffer is closed.
          """))
    }
  }

  @Test func `nobody waits at a closed buffer, however many come`() throws {
    let buffer = BoundedBuffer<Int>(capacity: 2)
    let advice: Comment = """
      The buffer is closed, so nobody waits, however many come: what close tells must not be used up by \
      those who hear of it.
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
    let late = try belt.put(3).result("The buffer is closed: whoever comes now must not wait.")
    #expect(!late, "put must return false where the buffer was closed before.")
    let rest: [Int?] = try (1...4).map { _ in try belt.takeAtOnce() }
    #expect(
      rest == [1, 2, nil, nil],
      """
      1 and 2 were in when the buffer was closed (twice, which changes nothing). They were put \
      with success, so somebody must be able to take them; after them nil, as often as somebody \
      asks.
      """)
    let afterwards = try belt.put(4).result("The buffer is closed: put must not wait.")
    #expect(!afterwards, "There is room again, but the buffer is closed: put must return false.")
  }
}
