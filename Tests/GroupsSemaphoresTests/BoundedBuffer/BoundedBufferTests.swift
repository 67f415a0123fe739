import Foundation
import KataTesting
import Testing

/// Proves that takers wait for elements and putters for places, first in, first out; that put, take and
/// close wake whoever they concern; that after close nothing gets in and all that's in gets out; and that
/// nothing is lost, doubled or kept.
@Suite(.serialized, .kata) struct BoundedBufferTests {
  @Test func `what is put first is taken first`() throws {
    let belt = Belt(capacity: 3)
    for number in 1...3 { try belt.putWithRoom(number) }
    // Past the capacity, for whoever keeps the elements in a ring.
    for number in 1...9 {
      let taken = try belt.takeAtOnce()
      try #require(
        taken == number,
        """
        The numbers from 1 on were put, in this order, and \(number) is the oldest in the buffer; \
        take() returned \(taken.map(String.init) ?? "nil"). Whatever is put first must be taken \
        first.
        """)
      try belt.putWithRoom(number + 3)
    }
  }

  @Test func `take waits while the buffer is empty`() throws {
    let belt = Belt(capacity: 2)
    let taker = belt.take()
    let waits = belt.timeline.expect(
      """
      taker 1  ┆┄┄┄┄…
      """,
      """
      The buffer is empty and open, and take() returned all the same, with nil: whoever takes \
      must wait for an element, for nil says that none will ever come.
      """)
    guard waits else { return }
    try belt.putWithRoom(1)
    #expect(
      try taker.result("Somebody has put an element since, and it must wake whoever waits for one.")
        == 1,
      "The taker waited for an element, 1 was put, and the taker must get it.")
    belt.timeline.expect(
      """
      taker 1    ┆┄┄┄┄┄┄┄┄┄├────┤
      meanwhile       ●  put(1)
      """, "1 was put while the taker waited, and then the taker must have gone on, once.")
  }

  @Test(arguments: [1, 2, 3]) func `put waits while the buffer is full`(capacity: Int) throws {
    let belt = Belt(capacity: capacity)
    for number in 1...capacity { try belt.putWithRoom(number) }
    let putter = belt.put(capacity + 1, by: "putter")
    let waits = belt.timeline.expect(
      """
      putter  ┆┄┄┄┄…
      """,
      """
      There is room for \(capacity), \(capacity) elements are in, and one more put returned: \
      whoever puts must wait for a free place. Without that, a fast producer fills the memory.
      """)
    guard waits else { return }
    #expect(try belt.takeAtOnce() == 1, "1 was put first, so it must be taken first.")
    #expect(
      try putter.result(
        """
        An element has been taken since, so a place is free: that must wake it. A putter that \
        looks every so often comes too late.
        """),
      "A place became free and nobody closed the buffer, so put must return true.")
    belt.timeline.expect(
      """
      putter     ┆┄┄┄┄┄┄┄┄┄├────┤
      meanwhile       ●  take()
      """, "An element was taken while the putter waited, and then the putter must have gone on.")
    for number in 2...capacity + 1 {
      #expect(
        try belt.takeAtOnce() == number,
        "An element that had to wait for its place stands at the end of the line.")
    }
  }

  // Two putters wait, and each has to find a place of its own when its turn comes.
  @Test func `one take lets one putter in`() throws {
    let belt = Belt(capacity: 2)
    for number in [1, 2] { try belt.putWithRoom(number) }
    let putters = [belt.put(3), belt.put(4)]
    for number in [1, 2] {
      runUntilQuiet()
      try #require(
        putters.count(where: \.hasReturned) == number - 1,
        belt.timeline.showing(
          """
          The buffer was full, two putters waited, and \(number - 1) elements have been taken \
          since: so many of the putters must have gone on. \(putters.count(where: \.hasReturned)) \
          have.
          """))
      #expect(try belt.takeAtOnce() == number, "1 and 2 were put first.")
    }
    for putter in putters { try putter.result("Two elements were taken, so both have a place.") }
    let rest: Set<Int?> = [try belt.takeAtOnce(), try belt.takeAtOnce()]
    #expect(
      rest == [3, 4],
      belt.timeline.showing(
        """
        Two putters waited for a place, with 3 and 4, and both were let in. They don't both come \
        out: one element was written over the other. What is found out before the wait no longer \
        holds after it.
        """))
  }

  // Two takers wait; an element that wakes both is there for the first alone.
  @Test func `one put lets one taker go on`() throws {
    let belt = Belt(capacity: 2)
    let takers = [belt.take(), belt.take()]
    for number in [1, 2] {
      runUntilQuiet()
      try #require(
        takers.count(where: \.hasReturned) == number - 1,
        belt.timeline.showing(
          """
          The buffer was empty, two takers waited, and \(number - 1) elements have been put since: \
          so many of the takers must have gone on. \(takers.count(where: \.hasReturned)) have. \
          Whoever is woken has to look again whether there's something for them.
          """))
      try belt.putWithRoom(number)
    }
    let taken: [Int?] = try takers.map {
      try $0.result("Two elements were put, one for each taker.")
    }
    let different = Set(taken)
    #expect(different == [1, 2], "1 and 2 were put, and each of the two takers must get one.")
  }

  // Who is woken needs a while to get going, and the second call comes before: what it brings must
  // not be taken for what the first one has told already. A few rounds, for now and then a sleeper
  // is quicker.
  @Test(arguments: [1, 2]) func `two calls in a row let two go on`(capacity: Int) throws {
    for round in 1...4 {
      let belt = Belt(capacity: capacity)
      let buffer = belt.buffer
      let takers = [belt.take(), belt.take()]
      runUntilQuiet()
      try mustReturn("put, twice in a row,") {
        buffer.put(1)
        buffer.put(2)
      }
      let taken: Set<Int?> = [
        try takers[0].result("Two elements were put in a row, one for each of two takers."),
        try takers[1].result("Two elements were put in a row, one for each of two takers."),
      ]
      try #require(
        taken == [1, 2], "In round \(round) 1 and 2 were put, and two takers took them.")

      for number in 1...capacity { try belt.putWithRoom(number) }
      let putters = [belt.put(3), belt.put(4)]
      runUntilQuiet()
      let advice: Comment = """
        Two elements were taken in a row, which leaves a place for each of two putters. Every call \
        has to wake one who waits for just that, not only the call that finds the buffer full or \
        empty.
        """
      try mustReturn("take, twice in a row,", advice) { _ = [buffer.take(), buffer.take()] }
      for putter in putters {
        #expect(try putter.result(advice), "There was a place for each of two putters.")
      }
    }
  }

  // taker A       taker B       taker C
  // waits at A    waits at B    waits at C
  //                             something is put into C
  //                             has it
  @Test(arguments: [[2, 1, 0], [0, 1, 2]])
  func `what is put into a buffer wakes who waits at that one`(order: [Int]) throws {
    let belts = (0..<3).map { _ in Belt(capacity: 1) }
    var takers: [TestThread<Int?>] = []
    for belt in belts {
      takers.append(belt.take())
      runUntilQuiet()
    }
    for index in order {
      try belts[index].putWithRoom(index)
      let taken = try takers[index].result(
        """
        There are three buffers, and somebody waits at each; an element was put into one of them. Who is \
        woken must be the one who waits there: what they wait at belongs to the buffer.
        """)
      #expect(taken == index, "Each taker must get what was put into its own buffer.")
    }
  }

  // With one place everybody waits all the time; that two can't be inside at once where there are
  // more places is shown below, by a meeting that tells it every time.
  @Test func `four putters and four takers lose nothing and double nothing`() throws {
    let belt = Belt(capacity: 1)
    let buffer = belt.buffer
    let putters = (0..<4).map { putter in
      TestThread("put, 250 times,") {
        (0..<250).filter { buffer.put(putter * 1000 + $0) }.count
      }
    }
    let takers = (0..<4).map { _ in
      TestThread("take, 250 times,") { (0..<250).compactMap { _ in buffer.take() } }
    }
    let advice: Comment = "Four threads put 250 elements each, and four take 250 each."
    for putter in putters {
      #expect(
        try putter.result(advice) == 250,
        "Nobody closed the buffer, and put returned false all the same.")
    }
    let taken = try takers.map { try $0.result(advice) }
    let all: [Int] = taken.flatMap { $0 }.sorted()
    let put: [Int] = (0..<4).flatMap { putter in (0..<250).map { putter * 1000 + $0 } }
    let different = Set(all).count
    #expect(
      all == put,
      """
      Four threads put a thousand different numbers, and four threads took \(all.count), \
      \(different) of them different. Each must come out exactly once.
      """)
    for numbers in taken {
      for putter in 0..<4 {
        let own = numbers.filter { $0 / 1000 == putter }
        let sorted = own.sorted()
        #expect(
          own == sorted,
          "What one thread put came out, at one taker, in another order than it went in.")
      }
    }
  }
}

/// An element that somebody may keep.
final class Crate: Sendable, OpaqueMirror {}

extension BoundedBuffer: OpaqueMirror {}
