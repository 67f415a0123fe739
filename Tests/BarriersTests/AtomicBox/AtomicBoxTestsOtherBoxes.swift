import KataTesting
import Testing

extension AtomicBoxTests {
  // MARK: - Other boxes

  @Test func `two boxes don't wait for each other`() throws {
    let other = AtomicBox(0)
    let release = Gate("release the update")
    let update = try updateEnters("update", until: release)
    let stranger = TestThread("the other box") { other.update { $0 += 1 } }
    #expect(
      !stranger.isBlocked(),
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

  // MARK: - Many threads

  @Test func `the updates of many threads are all made`() throws {
    let box = AtomicBox(0)
    let numbers = LockedValue<[Int]>([])
    try TestThread.race("updating thread", threads: 4) { _ in
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
      let seen = LockedValue(0)
      try RelaxedRendezvous.meet(
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
      let seen = LockedValue(0)
      try RelaxedRendezvous.meet("value", { seen.set(box.value) }, { _ = box.value })
      #expect(seen.value == 1, "Two threads looked, and one saw \(seen.value) in place of 1.")
    }
  }
}
