import KataTesting
import Testing

/// Proves that loading, adding and storing are one step, so that no hit is lost and no number given twice,
/// that nobody reads in between, and that a hit is stored when it returns.
@Suite(.serialized, .kata) struct HitCounterTests {
  private let file = HitFile()

  @Test func `hits are counted one after another, from what is stored`() throws {
    let file = HitFile(41)
    let counter = counter(on: file)
    #expect(
      try mustReturn("hits") { counter.hits } == 41,
      file.timeline.showing("41 was stored, and nobody has come yet: hits must be 41."))
    let numbers = try mustReturn("hit, twice,") { [counter.hit(), counter.hit()] }
    #expect(
      numbers == [42, 43],
      file.timeline.showing("41 was stored; so the next two hits must be told 42 and 43."))
    #expect(
      try mustReturn("hits") { counter.hits } == 43 && file.content == 43,
      file.timeline.showing(
        "41 was stored, and two hits came: hits must be 43, and stored as well.")
    )
    let stores = file.stored.count
    #expect(
      stores == 2,
      file.timeline.showing(
        "Two hits came, and store was called \(stores) times: once for each hit."))
  }

  @Test func `a counter in memory begins at zero`() throws {
    let counters = [HitCounter(), HitCounter()]
    let numbers = try mustReturn("hits and hit") {
      [counters[0].hits, counters[0].hit(), counters[1].hits, counters[1].hit()]
    }
    #expect(
      numbers == [0, 1, 0, 1],
      """
      Two counters were made, each in a memory of its own. Each must begin at 0 and tell its first hit \
      that it's number 1.
      """)
  }

  // visitor 1               visitor 2
  // loads 0
  // (is held)               asks
  //                         must wait
  // stores 1
  //                         loads 1
  //                         stores 2
  @Test(arguments: HitStep.allCases) func `of two hits at once none is lost`(held: HitStep) throws {
    _ = try hits(2, at: held)
    #expect(
      file.content == 2,
      file.timeline.showing(
        """
        Two visitors came, the second while the first was being counted, and \(file.content) is \
        stored. Read the steps below from top to bottom: that's the race. From load to store a hit \
        must be alone: run all of its steps on a queue of your own as one barrier, with \
        sync(flags: .barrier).
        """))
  }

  @Test(arguments: HitStep.allCases) func `every hit has a number of its own`(held: HitStep) throws
  {
    let numbers = try hits(2, at: held)
    #expect(
      numbers.sorted() == [1, 2],
      file.timeline.showing(
        """
        Two visitors came at once and were told that they are number \(numbers[0]) and number \
        \(numbers[1]); one must be the first and one the second. The number that a hit returns is \
        the one that it has stored.
        """))
  }

  // visitor                 reader
  // stores 1, and is held
  //                         asks for hits
  //                         must not load
  // goes on
  //                         loads 1
  @Test func `nobody loads while a hit is being stored`() throws {
    let (counter, visitor, release) = held("hit", at: .store)
    let reader = TestThread("hits") { counter.hits }
    runUntilQuiet()
    expectNoCollision("hits must go through the same queue as hit.")
    release.open()
    try visitor.result()
    try reader.result()
  }

  @Test func `no hit is stored while somebody loads`() throws {
    let (counter, reader, release) = held("hits", at: .load)
    let visitor = TestThread("hit") { counter.hit() }
    runUntilQuiet()
    expectNoCollision("A hit must wait until those who are loading have left: it is a barrier.")
    release.open()
    try reader.result()
    try visitor.result()
  }

  @Test func `a hit is stored when hit returns`() throws {
    let (_, visitor, release) = held("hit", at: .store)
    #expect(
      !visitor.hasReturned,
      file.timeline.showing(
        """
        hit has returned, and its number isn't stored yet. Whoever is told a number must be able to \
        rely on it: wait for the barrier, with sync.
        """))
    release.open()
    try visitor.result()
  }

  // visitor 1               visitors 2 and 3
  // stores 1, and is held
  //                         ask, and wait
  // goes on
  //                         store 2, and 3
  @Test func `hits that wait together are stored one by one`() throws {
    _ = try hits(3, at: .store)
    #expect(
      file.stored == [1, 2, 3],
      file.timeline.showing(
        """
        Three visitors came, two of them while the first was being stored, and store was called with \
        \(file.stored). It must be called once for each hit, with 1, 2 and 3: the place where the number \
        is kept may note when each of them came.
        """))
  }

  // a visitor of one counter     a visitor of another
  // loads 0 or stores 1, and is held
  //                              is counted
  @Test(arguments: HitStep.allCases)
  func `two counters don't wait for each other`(step: HitStep) throws {
    let (_, visitor, release) = held("hit", at: step)
    let other = HitCounter()
    let stranger = TestThread("the other counter's hit and hits") { other.hit() + other.hits }
    eventually(
      file.timeline.showing(
        """
        A hit of one counter \(step)s its number, which takes long, and another counter's hit, or its \
        hits, waits for it. What protects a counter must belong to that counter alone: make its queue, \
        or its lock, a property.
        """)
    ) { stranger.hasReturned }
    release.open()
    try visitor.result()
    #expect(
      try stranger.result() == 2,
      "The other counter's first hit is number 1, and then there has been 1 hit.")
  }

  @Test func `the hits of many threads are all counted`() throws {
    let counter = HitCounter()
    let numbers = LockedValue<[Int]>([])
    try TestThread.race("visiting thread", threads: 4) { _ in
      var own: [Int] = []
      for _ in 0..<25 {
        own.append(counter.hit())
        _ = counter.hits
      }
      numbers.withLock { $0 += own }
    }
    #expect(
      try mustReturn("hits") { counter.hits } == 100,
      "Four threads hit the counter twenty-five times each; hits were lost or doubled.")
    #expect(
      numbers.value.sorted() == Array(1...100),
      "A hundred hits must be told the numbers from 1 to 100, each of them once.")
  }

  // Nothing but the counter orders the two.
  @Test func `a hit is seen by another thread`() throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...4 {
      let counter = HitCounter()
      let seen = LockedValue(0)
      try RelaxedRendezvous.meet("hits, after hit,", { counter.hit() }, { seen.set(counter.hits) })
      #expect(
        seen.value == 1,
        "hit had returned on one thread when another asked for hits, and it wasn't among them.")
    }
  }

  // MARK: - Moves

  private func counter(on file: HitFile) -> HitCounter {
    HitCounter(load: { file.load() }, store: { file.store($0) })
  }

  /// A call of the counter on the file, which is held in a step until the gate opens.
  private func held(
    _ call: String, at step: HitStep
  ) -> (counter: HitCounter, call: TestThread<Int>, release: Gate) {
    let counter = counter(on: file)
    let release = Gate("release the file")
    file.hold(step, until: release)
    defer { runUntilQuiet() }
    return (counter, TestThread(call) { call == "hit" ? counter.hit() : counter.hits }, release)
  }

  /// Visitors, of whom all but the first come while that one is held in a step; their numbers.
  private func hits(_ count: Int, at step: HitStep) throws -> [Int] {
    let (counter, first, release) = held("hit", at: step)
    let others = (2...count).map { number in
      defer { runUntilQuiet() }
      return TestThread("hit, of visitor \(number),") { counter.hit() }
    }
    release.open()
    return try ([first] + others).map { try $0.result() }
  }

  private func expectNoCollision(
    _ advice: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      file.collision == nil,
      file.timeline.showing(
        """
        \(file.collision ?? "") ran at the same time: a number was loaded while another was being \
        put in its place. \(advice)
        """),
      sourceLocation: sourceLocation)
  }
}

extension HitCounter: OpaqueMirror {}
