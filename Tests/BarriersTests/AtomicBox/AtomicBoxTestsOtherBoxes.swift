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
      While one box was being updated, an update of another box waited for it. Each box needs \
      protection of its own: a shared one makes boxes slow, and they deadlock if an update of one \
      uses another.
      """)
    release.open()
    try update.result()
  }

  @Test(arguments: [40, 300]) func `many boxes are updated side by side`(boxes: Int) throws {
    let release = Gate("release the updates")
    let updates = (1...boxes).map { number in
      TestThread("update of box \(number)") { AtomicBox(0).update { _ in release.wait() } }
    }
    runUntilQuiet()
    let inside = release.waiting
    #expect(
      inside == boxes,
      """
      \(boxes) boxes were updated at the same time, each by a thread of its own, but only \
      \(inside) of these updates ran: the others waited for unrelated boxes. What protects a box \
      must belong to that box alone; a limited number of shared locks or queues isn't enough.
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
    #expect(sum == 5, "Two boxes held 1 and 2; the body added 2 to the 1, and then 3 to the 2.")
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
      While a box was being updated, another update of it began: one that was called within an \
      update of a different box. A thread inside one box's update must still wait for every other \
      box, as any other thread does.
      """)
    release.open()
    try first.result()
    try second.result()
    try expectBoth()
  }

  @Test func `a value that was replaced is released`() throws {
    let box: AtomicBox<BoxedObject>
    let (old, given): (Watched, Watched)
    (box, old, given) = try {
      let (first, second) = (BoxedObject(), BoxedObject())
      let box = AtomicBox(first)
      try mustReturn("update") { box.update { $0 = second } }
      return (box, Watched(first), Watched(second))
    }()
    runUntilQuiet()
    #expect(
      old.isGone,
      """
      An object in the box was replaced, and it's still in memory: keep no copy after the update.
      """)
    let thrown = {
      let third = BoxedObject()
      _ = try? mustReturn("update") {
        try box.update {
          $0 = third
          throw HoleInThePocket()
        }
      }
      return Watched(third)
    }()
    runUntilQuiet()
    #expect(
      thrown.isGone,
      """
      An object was stored by an update that threw, and it's still in memory: keep no copy after \
      the update.
      """)
    #expect(!given.isGone, "The object that an update stored isn't retained.")
    withExtendedLifetime(box) {}
  }

  // MARK: - Many threads

  @Test func `no update of many threads is lost`() throws {
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
      "Four threads added 1 twenty-five times each; some additions were lost.")
    #expect(
      numbers.value.sorted() == Array(1...100),
      "100 updates added 1 and returned the sum: each number from 1 to 100 must appear once.")
  }

  // Only the box orders the two accesses.
  @Test(arguments: ["value", "update"])
  func `an update is seen by another thread`(call: String) throws {
    // Several times, because Thread Sanitizer occasionally misses a pair of accesses.
    for _ in 1...4 {
      let box = AtomicBox(0)
      let seen = LockedValue(0)
      try RelaxedRendezvous.meet(
        call, { box.update { $0 = 1 } },
        { seen.set(call == "value" ? box.value : box.update { $0 }) })
      #expect(
        seen.value == 1,
        "An update had returned on one thread, and then another thread saw the old value.")
    }
  }

  // Nothing orders the two reads, and nothing needs to.
  @Test func `two threads may read at the same time`() throws {
    // Several times, because Thread Sanitizer occasionally misses a pair of accesses.
    for _ in 1...4 {
      let box = AtomicBox(1)
      let seen = LockedValue(0)
      try RelaxedRendezvous.meet("value", { seen.set(box.value) }, { _ = box.value })
      #expect(seen.value == 1, "Two threads read the value 1, and one of them got \(seen.value).")
    }
  }
}
