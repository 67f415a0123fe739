import KataTesting
import Testing

/// Proves that an update is one step: alone, seen whole or not at all, and taken back whole where it
/// throws; and that boxes don't wait for each other.
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
      "The body appended to [1, 2] and returned the count, 3; update must return that as well.")
    let value = try mustReturn("value") { box.value }
    #expect(
      value == [1, 2, 3],
      """
      The box had [1, 2] in it, and an update appended 3; now it has \(value). When the body has \
      returned, what it has made of the value must be put into the box.
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
      A second update's body began while the first one's was running, so it began with a value \
      that is about to change. From the moment the value is taken until it's put back, an update \
      must be alone: a block with the flag .barrier on a concurrent queue of the box's own.
      """)
    release.open()
    try first.result()
    try second.result()
    timeline.expect(
      """
      first   ├─────────┤
      second       ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "Each update must call its body once: it may do more than change the value.")
    try expectBoth()
  }

  // update        reader
  // has taken a coin out
  // (half way)    asks: it waits, or sees the old value
  // puts it in
  @Test func `an update that is half done is not seen`() throws {
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
        An update had taken a coin out of one pocket and not yet put it into the other, and a reader \
        saw \(coins). It must see all of an update or nothing of it.
        """))
  }

  // update        reader
  // puts the first half into the box, which ends the old one
  // (is held)     asks: it waits, or sees two of a kind
  // puts the second half into the box
  @Test func `a value that is half in the box is not seen`() throws {
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
        An update was putting a new pair into the box, one half after the other, and a reader got \
        the \(names[0]) first half and the \(names[1]) second one. Copying a value takes time, too: \
        who reads it has to go through the queue.
        """))
  }

  // MARK: - Updates that throw

  @Test func `what a body throws gets through, and the value is as it was`() throws {
    for _ in 1...2 {
      #expect(
        throws: HoleInThePocket.self, "The body threw, and nobody heard of it: rethrow its error."
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
      An update took a coin out of one pocket, and threw before it put it into the other; then another \
      one did the same. The box must be as it was before, and has \(coins). Let the body change a copy, and keep it only if it returns.
      """)
    try mustReturn("update, after one that threw,") { [box] in box.update { $0.left = 9 } }
  }

  @Test func `an update that throws is over in one step`() throws {
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
      """, "A second update's body began while the first one's was running, which isn't over yet.")
    release.open()
    #expect(throws: HoleInThePocket.self, "The body threw, and nobody heard of it.") {
      try first.result()
    }
    let seen = try second.result()
    #expect(
      seen == BoxedCoins(),
      timeline.showing(
        """
        An update took a coin out and threw, and the next one began with \(seen): with what the first \
        had left behind. The value must be as it was before anybody else may come: let the body \
        change a copy.
        """))
    let coins = try mustReturn("value, after an update that threw,") { [box] in box.value }
    #expect(
      coins == BoxedCoins(left: 8, right: 2),
      timeline.showing(
        """
        Of 10 coins on the left one update moved 2 to the right, beside another one that threw. There \
        must be 8 and 2, but there are \(coins). Who puts an old value back later undoes what others \
        have done meanwhile.
        """))
  }

  // first            two others
  // moves a coin
  // (half way)       ask: must wait
  // leaves
  //                  whose turn comes first moves coins
  //                  the other one throws: what has been moved stays moved
  @Test func `an update that throws takes back nothing but its own`() throws {
    let release = Gate("release the first")
    let first = try updateEnters("first", until: release)
    // Nobody knows who of the two comes first; so that is decided when they have come.
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
        Of 10 coins on the left one update moved 1 to the right and another one 2; a third, which had \
        asked before that and came behind it, threw. There must be 7 and 3, but there are \(coins). \
        What a value was before is known when one's turn has come, and not when one asks.
        """))
  }

  // MARK: - Moves

  /// An update that moves a coin, and stays half way until `gate` opens; then it may throw.
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

  /// One update has moved 1 coin, and another one 2.
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
