import KataTesting
import Testing

/// Proves that an update is one step: alone, seen whole or not at all, and taken back whole where it
/// throws; and that boxes don't wait for each other.
@Suite(.serialized, .kata) struct AtomicBoxTests {
  private let timeline = Timeline()
  private let box = AtomicBox(BoxedCoins())

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
    let turns = Counter()
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

  @Test func `two boxes don't wait for each other`() throws {
    let other = AtomicBox(0)
    let release = Gate("release the update")
    let update = try updateEnters("update", until: release)
    let stranger = TestThread("the other box") { other.update { $0 += 1 } }
    #expect(
      !stranger.isBlocked,
      """
      One box is being updated, and an update of another box waits for it. What protects a box must \
      belong to that box alone; shared, it makes them slow, and deadlock where one's update uses \
      another.
      """)
    release.open()
    try update.result()
  }

  @Test func `many boxes are updated side by side`() throws {
    let release = Gate("release the updates")
    let updates = (1...40).map { number in
      TestThread("update of box \(number)") { [timeline] in
        AtomicBox(0).update { _ in timeline.visit("box \(number)", until: release) }
      }
    }
    runUntilQuiet()
    let inside = timeline.inside.count
    #expect(
      inside == 40,
      """
      40 boxes are being updated, each by a thread of its own, and only \(inside) of these updates are \
      under way: the others wait for boxes that they have nothing to do with. Locks that boxes share \
      aren't their own, however many there are.
      """)
    release.open()
    for update in updates { try update.result() }
  }

  @Test func `a body may use another box`() throws {
    let (one, other) = (AtomicBox(1), AtomicBox(2))
    let sum = try mustReturn(
      "update, whose body uses another box,", "What protects a box must belong to that box alone."
    ) {
      one.update { number in
        number += other.value
        return other.update { there in
          there += number
          return there
        }
      }
    }
    #expect(sum == 5, "There were 1 and 2 in two boxes; 3 was made of the 1, and 5 of the 2.")
  }

  @Test func `a body waits for another box that is being updated`() throws {
    let release = Gate("release the first")
    let first = try updateEnters("first", until: release)
    let second = timeline.asks("second") { [box, timeline] in
      AtomicBox(0).update { _ in
        box.update { pockets in timeline.visit("second") { pockets.move(2) {} } }
      }
    }
    timeline.expect(
      """
      first   ├─────────…
      second       ┆┄┄┄┄…
      """,
      """
      A box was being updated, and an update of it that was asked for within another box's update \
      began all the same. That a thread is in some box's update says nothing about this one: it has \
      to wait like others.
      """)
    release.open()
    try first.result()
    try second.result()
    try expectBoth()
  }

  @Test func `nothing is kept of a value that was replaced`() throws {
    let box: AtomicBox<BoxedObject>
    let (old, given, thrown): (Watched, Watched, Watched)
    (box, old, given, thrown) = try {
      let (first, second, third) = (BoxedObject(), BoxedObject(), BoxedObject())
      let box = AtomicBox(first)
      try mustReturn("update") { box.update { $0 = second } }
      _ = try? mustReturn("update") {
        try box.update {
          $0 = third
          throw HoleInThePocket()
        }
      }
      return (box, Watched(first), Watched(second), Watched(third))
    }()
    runUntilQuiet()
    #expect(
      old.isGone && thrown.isGone,
      """
      An object in the box was replaced, and another one was put in by an update that threw. Nobody \
      needs them any more, and one of them is still in memory: keep no copy longer than the update.
      """)
    #expect(!given.isGone, "The object that was put into the box isn't kept.")
    withExtendedLifetime(box) {}
  }

  @Test func `the updates of many threads are all made`() throws {
    let box = AtomicBox(0)
    let numbers = Locked<[Int]>([])
    try race("updating thread", threads: 4) { _ in
      var own: [Int] = []
      for _ in 0..<25 {
        let number = box.update { number in
          number += 1
          return number
        }
        own.append(number)
        _ = box.value
      }
      numbers.withLock { $0 += own }
    }
    #expect(
      try mustReturn("value") { box.value } == 100,
      "Four threads added one twenty-five times each; additions were lost.")
    #expect(
      numbers.value.sorted() == Array(1...100),
      "A hundred updates added one and returned the sum: each number from 1 to 100 must come once.")
  }

  // Nothing but the box orders the two.
  @Test(arguments: ["value", "update"])
  func `an update is seen by another thread`(call: String) throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...4 {
      let box = AtomicBox(0)
      let seen = Locked(0)
      try meet(
        call, { box.update { $0 = 1 } },
        { seen.set(call == "value" ? box.value : box.update { $0 }) })
      #expect(
        seen.value == 1,
        "An update had returned on one thread when another looked, and the value was the old one.")
    }
  }

  // Nothing orders the two, and nothing needs to.
  @Test func `two threads may look`() throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...4 {
      let box = AtomicBox(1)
      let seen = Locked(0)
      try meet("value", { seen.set(box.value) }, { _ = box.value })
      #expect(seen.value == 1, "Two threads looked, and one saw \(seen.value) in place of 1.")
    }
  }

  // MARK: - Moves

  /// An update that moves a coin, and stays half way until `gate` opens; then it may throw.
  private func updateEnters(
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
  private func expectBoth(sourceLocation: SourceLocation = #_sourceLocation) throws {
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

private typealias Watched = WeakReference<BoxedObject>

extension AtomicBox: OpaqueMirror {}
