import KataTesting
import Testing

/// Proves that load, add and store are one critical section: no hit is lost, no number is returned
/// twice, and no read runs in between; and that a hit is stored when it returns.
@Suite(.serialized, .kata) struct HitCounterTests {
  private let file = HitFile()

  @Test func `hits are counted one after another, from what is stored`() throws {
    let file = HitFile(41)
    let counter = counter(on: file)
    #expect(
      try mustReturn("hits") { counter.hits } == 41,
      file.timeline.showing("41 was stored, and hit hasn't been called yet: hits must be 41."))
    let numbers = try mustReturn("hit, twice,") { [counter.hit(), counter.hit()] }
    #expect(
      numbers == [42, 43],
      file.timeline.showing("41 was stored, so the next two hits must return 42 and 43."))
    #expect(
      try mustReturn("hits") { counter.hits } == 43 && file.content == 43,
      file.timeline.showing(
        "41 was stored, and two hits were counted: hits must be 43, and 43 stored.")
    )
    let stores = file.stored.count
    #expect(
      stores == 2,
      file.timeline.showing(
        "hit was called twice, and store \(stores) times; it must be called once per hit."))
  }

  @Test func `a counter in memory begins at zero`() throws {
    let counters = [HitCounter(), HitCounter()]
    let numbers = try mustReturn("hits and hit") {
      [counters[0].hits, counters[0].hit(), counters[1].hits, counters[1].hit()]
    }
    #expect(
      numbers == [0, 1, 0, 1],
      """
      Two counters were created, each in a memory of its own. Each must begin at 0, and its first \
      hit must return 1.
      """)
  }

  // visitor 1               visitor 2
  // loads 0
  // (is held)               calls hit
  //                         must wait
  // stores 1
  //                         loads 1
  //                         stores 2
  @Test(arguments: HitStep.allCases) func `two hits at once are both counted`(held: HitStep) throws
  {
    _ = try hits(2, at: held)
    #expect(
      file.content == 2,
      file.timeline.showing(
        """
        Two threads called hit, the second while the first was being counted, and \(file.content) \
        is stored. Read the steps below from top to bottom: they show the race. From load to store \
        a hit must run alone: run all of its steps on a private queue as one barrier, with \
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
        Two threads called hit at the same time, and got the numbers \(numbers[0]) and \
        \(numbers[1]); one must get 1 and the other 2. A hit must return the number that it has \
        stored.
        """))
  }

  // visitor                 reader
  // stores 1, and is held
  //                         reads hits
  //                         must not load
  // goes on
  //                         loads 1
  @Test func `nothing is loaded while a hit is being stored`() throws {
    let (counter, visitor, release) = held("hit", at: .store)
    let reader = TestThread("hits") { counter.hits }
    runUntilQuiet()
    expectNoCollision("hits must go through the same queue as hit.")
    release.open()
    try visitor.result()
    try reader.result()
  }

  @Test func `no hit is stored while hits is loading`() throws {
    let (counter, reader, release) = held("hits", at: .load)
    let visitor = TestThread("hit") { counter.hit() }
    runUntilQuiet()
    expectNoCollision("A hit must wait until all running loads have returned: it's a barrier.")
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
        hit has returned, and its number isn't stored yet. The caller relies on the number that it \
        gets, so hit must wait until the barrier block has run: use sync.
        """))
    release.open()
    try visitor.result()
  }

  // visitor 1               visitors 2 and 3
  // stores 1, and is held
  //                         call hit, and wait
  // goes on
  //                         store 2, and 3
  @Test func `waiting hits are stored one by one`() throws {
    _ = try hits(3, at: .store)
    #expect(
      file.stored == [1, 2, 3],
      file.timeline.showing(
        """
        Three threads called hit, two of them while the first number was being stored, and store \
        was called with \(file.stored). It must be called once for each hit, with 1, 2 and 3: the \
        caller's store may do more than keep the last number.
        """))
  }

  // a visitor of one counter     a visitor of another
  // loads 0 or stores 1, and is held
  //                              is counted
  @Test(arguments: HitStep.allCases)
  func `two counters don't wait for each other`(step: HitStep) throws {
    let (_, visitor, release) = held("hit", at: step)
    // So many that not even some of many may share a queue or a lock.
    let others = (1...300).flatMap { _ in [HitCounter(), counterOfItsOwn()] }
    let strangers = TestThread("the other counters' hit and hits") {
      others.map { $0.hit() + $0.hits }
    }
    eventually(
      file.timeline.showing(
        """
        A hit of one counter \(step)s its number, which takes long, and another counter's hit or \
        hits waits for it. What protects a counter must belong to that counter alone: make its \
        queue, or its lock, a property.
        """)
    ) { strangers.hasReturned }
    release.open()
    try visitor.result()
    let sums = try strangers.result()
    #expect(
      sums == others.map { _ in 2 },
      "Each other counter's first hit is number 1, and then its hits is 1.")
  }

  @Test func `no hit of many threads is lost`() throws {
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
      "Four threads called hit twenty-five times each; hits were lost or counted twice.")
    #expect(
      numbers.value.sorted() == Array(1...100),
      "100 hits must return the numbers from 1 to 100, each of them once.")
  }

  // Only the counter orders the two accesses.
  @Test func `a hit is seen by another thread`() throws {
    // Several times, because Thread Sanitizer occasionally misses a pair of accesses.
    for _ in 1...4 {
      let counter = HitCounter()
      let seen = LockedValue(0)
      try RelaxedRendezvous.meet("hits, after hit,", { counter.hit() }, { seen.set(counter.hits) })
      #expect(
        seen.value == 1,
        "hit had returned on one thread, and then hits on another thread didn't include it.")
    }
  }

  // MARK: - Moves

  private func counter(on file: HitFile) -> HitCounter {
    HitCounter(load: { file.load() }, store: { file.store($0) })
  }

  /// A counter whose number is stored where no other counter's is.
  private func counterOfItsOwn() -> HitCounter {
    let number = LockedValue(0)
    return HitCounter(load: { number.value }, store: { number.set($0) })
  }

  /// A call of the counter on the file; it's held in a step until the gate opens.
  private func held(
    _ call: String, at step: HitStep
  ) -> (counter: HitCounter, call: TestThread<Int>, release: Gate) {
    let counter = counter(on: file)
    let release = Gate("release the file")
    file.hold(step, until: release)
    defer { runUntilQuiet() }
    return (counter, TestThread(call) { call == "hit" ? counter.hit() : counter.hits }, release)
  }

  /// The numbers of hits that are called one after another while the first is held in a step.
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
        stored. \(advice)
        """),
      sourceLocation: sourceLocation)
  }
}

extension HitCounter: OpaqueMirror {}
