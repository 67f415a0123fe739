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
      try #require(putter.isBlocked, "The buffer is full, so a putter must wait.")
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
      try #require(taker.isBlocked, "The buffer is empty and open, so a taker must wait.")
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

  @Test func `a buffer may be let go of with elements in it`() throws {
    let trace = try mustReturn("put") {
      let crate = Crate()
      BoundedBuffer<Crate>(capacity: 2).put(crate)
      return WeakReference(crate)
    }
    // A semaphore that dies below the value that it was made with takes the process with it.
    runUntilQuiet()
    #expect(trace.isGone, "The buffer is gone, so nobody must keep what was in it.")
  }

  @Test func `what was taken isn't kept`() throws {
    let buffer = BoundedBuffer<Crate>(capacity: 2)
    let trace = try mustReturn("put and take") {
      let crate = Crate()
      buffer.put(crate)
      _ = buffer.take()
      return WeakReference(crate)
    }
    runUntilQuiet()
    #expect(
      trace.isGone,
      """
      An element was put, taken, and let go of by whoever took it; and it's still there. The buffer \
      must keep nothing of it: a place that is free is empty.
      """)
    withExtendedLifetime(buffer) {}
  }

  // Others are still in, so the buffer isn't empty in between.
  @Test(arguments: [false, true])
  func `what was taken isn't kept while others are in`(isClosed: Bool) throws {
    let buffer = BoundedBuffer<Crate>(capacity: 3)
    let trace = try mustReturn("put, twice, and take") {
      let crate = Crate()
      buffer.put(crate)
      buffer.put(Crate())
      if isClosed { buffer.close() }
      _ = buffer.take()
      return WeakReference(crate)
    }
    runUntilQuiet()
    #expect(
      trace.isGone,
      """
      Two elements were put\(isClosed ? ", the buffer was closed," : "") and one was taken, which is still \
      there: it's kept until the other one is taken too, and where the buffer is never empty that is \
      for ever. A place that is free is empty, at once.
      """)
    withExtendedLifetime(buffer) {}
  }

  // putter A      putter B      taker
  // its crate is in
  //               waits
  //                             takes both, then waits
  // puts another
  //                             has it
  @Test func `what somebody had to wait with or for isn't kept`() throws {
    let buffer = BoundedBuffer<Crate>(capacity: 1)
    defer { _ = TestThread("the end of all waiting") { buffer.close() } }
    let put: @Sendable () -> WeakReference<Crate> = {
      let crate = Crate()
      buffer.put(crate)
      return WeakReference(crate)
    }
    try mustReturn("put") { _ = put() }
    let putter = TestThread("put", put)
    runUntilQuiet()
    try mustReturn("take, twice,") { for _ in 1...2 { _ = buffer.take() } }
    var traces = [try putter.result("An element was taken, so there was a place for another one.")]
    let taker = TestThread("take") { _ = buffer.take() }
    runUntilQuiet()
    traces.append(try mustReturn("put") { put() })
    try taker.result("A taker waited, and an element was put.")
    runUntilQuiet()
    let kept = ["the first", "the second"].enumerated().filter { !traces[$0.offset].isGone }
    #expect(
      kept.isEmpty,
      """
      One element had to wait for its place, and a taker had to wait for another one. Both were taken \
      and let go of since, and \(kept.map(\.element).joined(separator: " and ")) of them is still \
      there. What you note of those who wait must go with them.
      """)
  }

  // Each of the three meets each, and itself: on two threads, and nothing of the spec's orders the two.
  @Test func `put, take and close may be called on any thread`() throws {
    let belt = Belt(capacity: 4)
    let buffer = belt.buffer
    try meet("put and put", { buffer.put(1) }, { buffer.put(2) })
    try meet("take and take", { _ = buffer.take() }, { _ = buffer.take() })
    try meet("put and put", { buffer.put(3) }, { buffer.put(4) })
    let rest: Set<Int?> = [try belt.takeAtOnce(), try belt.takeAtOnce()]
    #expect(
      rest == [3, 4],
      "Four elements were put and two of them taken; the last two must be left.")
    try meet("close and put", { buffer.close() }, { buffer.put(5) })
    try meet("take and take", { _ = buffer.take() }, { _ = buffer.take() })
    #expect(try belt.takeAtOnce() == nil, "The buffer is closed, and all of it was taken.")
    let other = Belt(capacity: 1).buffer
    try meet("close and close", { other.close() }, { other.close() })

    let belts = (1...3).map { _ in Belt(capacity: 2) }
    for belt in belts { try belt.putWithRoom(1) }
    let (third, fourth, fifth) = (belts[0].buffer, belts[1].buffer, belts[2].buffer)
    try meet("put and take", { third.put(2) }, { _ = third.take() })
    try meet("take and put", { _ = third.take() }, { third.put(3) })
    try meet("put and close", { third.put(4) }, { third.close() })
    try meet("take and close", { _ = fourth.take() }, { fourth.close() })
    try meet("close and take", { fifth.close() }, { _ = fifth.take() })
  }

  @Test func `random scripts end as they must`() {
    playScripts(of: BufferScript.self)
  }
}

/// An element that somebody may keep.
private final class Crate: Sendable, OpaqueMirror {}

extension BoundedBuffer: OpaqueMirror {}
