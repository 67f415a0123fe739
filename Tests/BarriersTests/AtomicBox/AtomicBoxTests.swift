import KataTesting
import Testing

/// Proves that an update is atomic: it runs alone, is seen whole or not at all, and changes nothing
/// if its body throws; and that boxes don't wait for each other.
@Suite(.serialized, .kata) struct AtomicBoxTests {
  let timeline = Timeline()
  let box = AtomicBox(BoxedCoins())

  @Test func `an update changes the value and returns what its body returns`() throws {
    let box = AtomicBox([1, 2])
    let count = try mustReturn("update") {
      box.update { numbers in
        numbers.append(3)
        return numbers.count
      }
    }
    #expect(
      count == 3,
      "The body appended 3 to [1, 2] and returned 3, the count; update must return the same.")
    let value = try mustReturn("value") { box.value }
    #expect(
      value == [1, 2, 3],
      """
      The box contained [1, 2], and an update appended 3; now it contains \(value). When the body \
      has returned, the box must keep the value that the body changed.
      """)
  }

  @Test func `updates run one at a time, and none is lost`() throws {
    let release = Gate("release the first")
    let first = try updateEnters("first", until: release)
    let second = timeline.asks("second") { [box, timeline] in
      box.update { pockets in timeline.visit("second") { pockets.move(2) {} } }
    }
    timeline.expect(
      """
      first   ├─────────…
      second       ┆┄┄┄┄…
      """,
      """
      A second update's body began while the first was running, so it began with a value that was \
      about to change. From reading the value to storing it, an update must run alone: as a block \
      with the flag .barrier on the box's own concurrent queue.
      """)
    release.open()
    try first.result()
    try second.result()
    timeline.expect(
      """
      first   ├─────────┤
      second       ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "Each update must call its body exactly once: the body may have side effects.")
    try expectBoth()
  }

  // update        reader
  // takes a coin out
  // (halfway)     reads: it waits, or sees the old value
  // puts it in
  @Test func `no read sees half an update`() throws {
    let release = Gate("release the update")
    let update = try updateEnters("update", until: release)
    let reader = TestThread("value") { [box, timeline] in
      let coins = box.value
      timeline.mark("reader", coins.description)
      return coins
    }
    runUntilQuiet()
    release.open()
    try update.result()
    let coins = try reader.result()
    #expect(
      coins.isWhole,
      timeline.showing(
        """
        An update had taken a coin out of one pocket and not yet put it into the other, and a \
        reader saw \(coins). A reader must see either all of an update or nothing of it.
        """))
  }

  // update        reader
  // stores the first half, which deallocates the old one
  // (is held)     reads: it waits, or sees two halves of one pair
  // stores the second half
  @Test func `no read sees a value that is half stored`() throws {
    let release = Gate("release the update")
    let box = AtomicBox(BoxedPair("old") { [timeline] in timeline.visit("update", until: release) })
    let update = TestThread("update") { box.update { $0 = BoxedPair("new") } }
    runUntilQuiet()
    let reader = TestThread("value") { [timeline] in
      let names = box.value.names
      timeline.mark("reader", names.joined(separator: " and "))
      return names
    }
    runUntilQuiet()
    release.open()
    try update.result()
    let names = try reader.result()
    #expect(
      names[0] == names[1],
      timeline.showing(
        """
        An update was storing a new pair in the box, one half after the other, and a reader got \
        the \(names[0]) first half and the \(names[1]) second half. Even a plain copy of a value \
        takes time: every read has to go through the queue.
        """))
  }

  // MARK: - Updates that throw

  @Test func `an error is rethrown, and the value is as it was before`() throws {
    for _ in 1...2 {
      #expect(
        throws: HoleInThePocket.self, "The body threw, and update didn't rethrow its error."
      ) {
        try mustReturn("update") { [box] in
          try box.update { try $0.move(1) { throw HoleInThePocket() } }
        }
      }
    }
    let coins = try mustReturn("value, after an update that threw,") { [box] in box.value }
    #expect(
      coins == BoxedCoins(),
      """
      An update took a coin out of one pocket, and threw before it put it into the other; then \
      another update did the same. The box must be as it was before, but now there are \(coins). \
      Let the body change a copy, and store it only if the body returns.
      """)
    try mustReturn("update, after one that threw,") { [box] in box.update { $0.left = 9 } }
  }

  @Test func `an update that throws is one step, too`() throws {
    let release = Gate("release the first")
    let first = try updateEnters("first", until: release, throws: HoleInThePocket())
    let second = timeline.asks("second") { [box, timeline] in
      box.update { pockets in
        timeline.visit("second") {
          defer { pockets.move(2) {} }
          return pockets
        }
      }
    }
    timeline.expect(
      """
      first   ├─────────…
      second       ┆┄┄┄┄…
      """, "A second update's body began while the first was running, which isn't over yet.")
    release.open()
    #expect(throws: HoleInThePocket.self, "The body threw, and update didn't rethrow its error.") {
      try first.result()
    }
    let seen = try second.result()
    #expect(
      seen == BoxedCoins(),
      timeline.showing(
        """
        An update took a coin out and threw, and the next update began with what the first had \
        left behind: \(seen). Before another update may begin, the value must be as it was: let \
        the body change a copy.
        """))
    let coins = try mustReturn("value, after an update that threw,") { [box] in box.value }
    #expect(
      coins == BoxedCoins(left: 8, right: 2),
      timeline.showing(
        """
        Of 10 coins on the left one update moved 2 to the right, and another one threw. There must \
        be 8 and 2, but there are \(coins). An old value that is restored in a later step undoes \
        the updates in between.
        """))
  }

  // first            two others
  // moves a coin
  // (halfway)        call update: must wait
  // leaves
  //                  one of them runs first and moves coins
  //                  the other one throws: what has been moved stays moved
  @Test func `an update that throws undoes only its own changes`() throws {
    let release = Gate("release the first")
    let first = try updateEnters("first", until: release)
    // Either of the two may run first, so each finds out in its body whether it's the first.
    let turns = SharedCounter()
    let others = (1...2).map { _ in
      TestThread("another update") { [box, timeline] in
        try box.update { pockets in
          guard turns.increment() == 1 else {
            try pockets.move(3) { throw HoleInThePocket() }
            return
          }
          timeline.visit("other") { pockets.move(2) {} }
        }
      }
    }
    runUntilQuiet()
    release.open()
    try first.result()
    for other in others { _ = try? other.result() }
    let coins = try mustReturn("value, after an update that threw,") { [box] in box.value }
    #expect(
      coins == BoxedCoins(left: 7, right: 3),
      timeline.showing(
        """
        Of 10 coins on the left one update moved 1 to the right and another one 2; a third, called \
        while the first was running, ran last and threw. There must be 7 and 3, but there are \
        \(coins). The value to restore is known only once the update runs alone, not when update \
        is called.
        """))
  }

  // MARK: - Moves

  /// An update that moves a coin and pauses halfway until `gate` opens; then it may throw.
  func updateEnters(
    _ name: String, until gate: Gate, throws error: HoleInThePocket? = nil
  ) throws -> TestThread<Void> {
    let update = TestThread(name) { [box, timeline] in
      try box.update { pockets in
        try timeline.visit(name) {
          try pockets.move(1) {
            gate.wait()
            if let error { throw error }
          }
        }
      }
    }
    try #require(eventually("update never called its body.") { timeline.isInside(name) })
    return update
  }

  /// Expects the result of two updates, of which one moved 1 coin and the other 2.
  func expectBoth(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let coins = try mustReturn("value", sourceLocation: sourceLocation) { [box] in box.value }
    #expect(
      coins == BoxedCoins(left: 7, right: 3),
      timeline.showing(
        """
        Of 10 coins on the left one update moved 1 to the right and another one 2. There must be 7 \
        and 3, but there are \(coins): an update was lost.
        """), sourceLocation: sourceLocation)
  }
}

typealias Watched = WeakReference<BoxedObject>

extension AtomicBox: OpaqueMirror {}
