import Foundation
import KataTesting
import Testing

/// Proves that takers wait for elements and putters for places, first in, first out; that put, take and
/// close wake the threads that can go on; that after close nothing gets in and all that's in can be
/// taken; and that no element is lost, duplicated or kept.
@Suite(.serialized, .kata) struct BoundedBufferTests {
  @Test func `what is put first is taken first`() throws {
    let belt = Belt(capacity: 3)
    for number in 1...3 { try belt.putWithRoom(number) }
    // Past the capacity, for answers that keep the elements in a ring.
    for number in 1...9 {
      let taken = try belt.takeAtOnce()
      try #require(
        taken == number,
        """
        \(number) is the oldest element in the buffer, but take() returned \
        \(taken.map(String.init) ?? "nil"). The numbers from 1 on were put, in this order, and they \
        must come out in it.
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
      The buffer is empty and open, but take() returned. It must wait for an element: nil means \
      that none will ever come.
      """)
    guard waits else { return }
    try belt.putWithRoom(1)
    #expect(
      try taker.result("An element has been put since, and that must wake the waiting take.")
        == 1,
      "1 was put while take waited for an element, so take must return 1.")
    belt.timeline.expect(
      """
      taker 1    ┆┄┄┄┄┄┄┄┄┄├────┤
      meanwhile       ●  put(1)
      """, "1 was put while the taker waited, and then take must have returned, once.")
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
      The buffer has room for \(capacity) and holds \(capacity), but one more put returned. It must \
      wait for a free place: without that, a fast producer fills the memory.
      """)
    guard waits else { return }
    #expect(try belt.takeAtOnce() == 1, "1 was put first, so it must be taken first.")
    #expect(
      try putter.result(
        """
        An element has been taken since, so a place is free, and that must wake the waiting put. A \
        loop that polls wakes up too late.
        """),
      "A place became free and the buffer is open, so put must return true.")
    belt.timeline.expect(
      """
      putter     ┆┄┄┄┄┄┄┄┄┄├────┤
      meanwhile       ●  take()
      """, "An element was taken while the putter waited, and then put must have returned.")
    for number in 2...capacity + 1 {
      #expect(
        try belt.takeAtOnce() == number,
        "An element that had to wait for its place must come out last.")
    }
  }

  // Two putters wait, and each must find a place of its own when it goes on.
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
          Two putters waited at a full buffer. Elements taken since: \(number - 1); calls of put \
          that returned: \(putters.count(where: \.hasReturned)). Each element that is taken must let \
          one put return.
          """))
      #expect(
        try belt.takeAtOnce() == number, "1 and 2 were put first, so they must be taken first.")
    }
    for putter in putters { try putter.result("Two elements were taken, so both have a place.") }
    let rest: Set<Int?> = [try belt.takeAtOnce(), try belt.takeAtOnce()]
    #expect(
      rest == [3, 4],
      belt.timeline.showing(
        """
        Two putters waited for a place, with 3 and 4, and both calls returned, but 3 and 4 don't \
        both come out now. One may have been written over the other: what was true before a wait \
        may no longer be true after it.
        """))
  }

  // Two takers wait; if an element wakes both, only the first gets it.
  @Test func `one put lets one taker go on`() throws {
    let belt = Belt(capacity: 2)
    let takers = [belt.take(), belt.take()]
    for number in [1, 2] {
      runUntilQuiet()
      try #require(
        takers.count(where: \.hasReturned) == number - 1,
        belt.timeline.showing(
          """
          Two takers waited at an empty buffer. Elements put since: \(number - 1); calls of take that \
          returned: \(takers.count(where: \.hasReturned)). Each element must let one take return, so \
          a woken thread must check again for an element.
          """))
      try belt.putWithRoom(number)
    }
    let taken: [Int?] = try takers.map {
      try $0.result("Two elements were put, one for each taker.")
    }
    let different = Set(taken)
    #expect(different == [1, 2], "1 and 2 were put, and each of the two takers must get one.")
  }

  // A woken thread needs some time until it runs, and the second call comes before that. It must wake
  // a thread of its own all the same. Several rounds, because now and then the woken thread is quicker.
  @Test(arguments: [1, 2]) func `two calls in a row let two threads go on`(capacity: Int) throws {
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
        taken == [1, 2], "In round \(round), 1 and 2 were put, so the two takers must get them.")

      for number in 1...capacity { try belt.putWithRoom(number) }
      let putters = [belt.put(3), belt.put(4)]
      runUntilQuiet()
      let advice: Comment = """
        Two elements were taken in a row, which leaves a place for each of two putters. Each call \
        of take must wake a thread that waits in put, not only a call that finds the buffer full.
        """
      try mustReturn("take, twice in a row,", advice) { _ = [buffer.take(), buffer.take()] }
      for putter in putters {
        #expect(try putter.result(advice), "Each putter has a place, so put must return true.")
      }
    }
  }

  // taker A       taker B       taker C
  // waits at A    waits at B    waits at C
  //                             something is put into C
  //                             has it
  @Test(arguments: [[2, 1, 0], [0, 1, 2]])
  func `an element wakes a thread that waits at its own buffer`(order: [Int]) throws {
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
        A taker waits at each of three buffers, and an element was put into one of them. It must wake \
        the taker at that buffer, so each buffer needs a semaphore or condition variable of its own.
        """)
      #expect(taken == index, "Each taker must get what was put into its own buffer.")
    }
  }

  // With one place, threads wait most of the time. That two can't be inside at once if there are more
  // places is shown below, by a rendezvous that finds it every time.
  @Test func `four putters and four takers lose and duplicate nothing`() throws {
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
        "The buffer is open, but put returned false.")
    }
    let taken = try takers.map { try $0.result(advice) }
    let all: [Int] = taken.flatMap { $0 }.sorted()
    let put: [Int] = (0..<4).flatMap { putter in (0..<250).map { putter * 1000 + $0 } }
    let different = Set(all).count
    #expect(
      all == put,
      """
      Four threads put a thousand different numbers, and four threads took \(all.count), of which \
      \(different) are different. Each number must come out exactly once.
      """)
    for numbers in taken {
      for putter in 0..<4 {
        let own = numbers.filter { $0 / 1000 == putter }
        let sorted = own.sorted()
        #expect(
          own == sorted,
          "One taker got the numbers of one putter in another order than they were put in.")
      }
    }
  }
}

/// An element that the specs see being released.
final class Crate: Sendable, OpaqueMirror {}

extension BoundedBuffer: OpaqueMirror {}
