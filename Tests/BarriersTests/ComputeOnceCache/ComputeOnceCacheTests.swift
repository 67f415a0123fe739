import Foundation
import KataTesting
import Testing

/// Proves that each key is computed once by whoever asks first, side by side with other keys, and again
/// only after a failure.
@Suite(.serialized, .kata) struct ComputeOnceCacheTests {
  private let thumbnails = ThumbnailCache()

  // MARK: - Kept

  @Test func `a value is computed when it's first asked for, and kept`() throws {
    let first = try thumbnails.ask(.dawn).result()
    #expect(first.attempt == 1, "The value must be the one that compute has returned.")
    let second = try thumbnails.ask(.dawn).result()
    #expect(
      thumbnails.attempts == 1,
      """
      Dawn was asked for twice, one after the other, and computed \(thumbnails.attempts) times. Keep \
      what compute has returned in a dictionary, and look there first.
      """)
    #expect(first === second, "Dawn was asked for twice, and these were two different values.")
    let other = ThumbnailCache()
    try other.ask(.dawn).result()
    #expect(
      other.attempts == 1,
      "A second cache was made and asked for Dawn, and it was there already: a new one is empty.")
  }

  @Test func `many keys are kept`() throws {
    let attempts = Counter()
    let keys = (1...5000).map { PhotoKey(name: "photo \($0)") }
    try mustReturn("value, for 5000 keys, twice,") {
      let cache = ComputeOnceCache<PhotoKey, Int>()
      let compute: () throws -> Int = { attempts.increment() }
      for key in keys + keys { _ = try cache.value(for: key, compute: compute) }
    }
    #expect(
      attempts.value == 5000,
      """
      5000 keys were asked for twice, one after the other; that makes 5000 computations, and there \
      were \(attempts.value). What is computed is kept, however much there is.
      """)
  }

  @Test func `nil is kept like any other value`() throws {
    let attempts = Counter()
    try mustReturn("value, twice, where compute returns nil,") {
      let cache = ComputeOnceCache<PhotoKey, Int?>()
      let compute: () throws -> Int? = {
        attempts.increment()
        return nil
      }
      for _ in 1...2 { _ = try cache.value(for: .dawn, compute: compute) }
    }
    #expect(
      attempts.value == 1,
      """
      Dawn was asked for twice, and compute returned nil, which is a value here: Value is Int?. It was \
      computed \(attempts.value) times, and must be kept like any other.
      """)
  }

  @Test func `compute is called on the calling thread`() throws {
    let isSame = try mustReturn("value") {
      let caller = Thread.current
      let compute: () throws -> Bool = { Thread.current === caller }
      return try ComputeOnceCache<PhotoKey, Bool>().value(for: .dawn, compute: compute)
    }
    #expect(
      isSame, "compute was called on another thread. Its caller waits anyway: let it compute there."
    )
  }

  @Test(arguments: [false, true]) func `each key has a value of its own`(clashing: Bool) throws {
    let keys = ["Dawn", "Noon", "Dusk"].map { PhotoKey(name: $0, clashes: clashing) }
    let likeness =
      clashing
      ? " Their hash values and descriptions are the same; only == tells keys apart." : ""
    for time in ["first", "second"] {
      for (index, key) in keys.enumerated() {
        let value = try thumbnails.ask(key).result()
        #expect(
          value.attempt == index + 1,
          """
          Dawn, Noon and Dusk were asked for, in this order, twice; the \(time) time \(key.name) \
          got the value that was computed as number \(value.attempt).\(likeness)
          """)
      }
    }
    #expect(
      thumbnails.attempts == 3,
      "Three keys were asked for twice: that makes three computations, not \(thumbnails.attempts).")
  }

  // MARK: - At the same moment

  // caller 1      caller 2 … 4
  // asks
  // computes
  //               ask
  // is held       must wait
  @Test func `callers at the same moment compute it once`() throws {
    let release = Gate("release the computation")
    let callers = (1...4).map { _ in thumbnails.ask(.dawn, until: release) }
    runUntilQuiet()
    #expect(
      thumbnails.underWay(.dawn) == 1,
      thumbnails.timeline.showing(
        """
        Four threads asked for Dawn at the same moment, and it is being computed \
        \(thumbnails.underWay(.dawn)) times. All of them found it missing: whoever looks must leave a \
        mark in the same step, so that the next one waits.
        """))
    #expect(
      callers.allSatisfy { !$0.hasReturned }, "There is no value yet, and somebody has returned.")
    release.open()
    let values = try callers.map { caller in
      try caller.result("It waited while another thread computed, and that has come to its end.")
    }
    #expect(
      values.allSatisfy { $0 === values[0] },
      "Four threads asked for Dawn at the same moment, and they hold different values.")
    #expect(
      thumbnails.attempts == 1, "Dawn was there, and those who had waited computed it again.")
  }

  @Test(arguments: [false, true]) func `different keys are computed side by side`(
    clashing: Bool
  ) throws {
    let release = Gate("release the computations")
    let keys = ["Dawn", "Noon"].map { PhotoKey(name: $0, clashes: clashing) }
    let likeness =
      clashing
      ? " The two have the same hash value and description; only == tells keys apart." : ""
    let callers = keys.map { key in
      defer { runUntilQuiet() }
      return thumbnails.ask(key, until: release)
    }
    thumbnails.timeline.expect(
      """
      Dawn  ├─────────…
      Noon       ├────…
      """,
      """
      One thread asked for Dawn, another for Noon, and the second waits until the first has been \
      computed. They have nothing to do with each other: hold no lock while you compute.\(likeness)
      """)
    release.open()
    for caller in callers { try caller.result() }
  }

  @Test func `forty keys are computed side by side`() throws {
    let release = Gate("release the computations")
    let keys = (1...40).map { PhotoKey(name: "photo \($0)") }
    let callers = keys.map { thumbnails.ask($0, until: release) }
    eventually(
      """
      Forty threads asked for forty keys at once, and not all of them compute. Different keys have nothing \
      to do with each other: whoever asks first for a key computes, however many do so already.
      """
    ) { keys.allSatisfy { thumbnails.underWay($0) == 1 } }
    release.open()
    for caller in callers { try caller.result() }
  }

  // a cache          another cache
  // computes Dawn
  // is held          computes Dawn
  @Test func `two caches don't wait for each other`() throws {
    let release = Gate("release the computation")
    let slow = computes(.dawn, until: release)
    let other = ThumbnailCache()
    let quick = other.ask(.dawn)
    eventually(
      """
      While one cache computes Dawn, which takes long, somebody asks another cache for its Dawn, and has \
      to wait. What is being computed must be noted in a property of the cache, not for all of them.
      """
    ) { quick.hasReturned }
    release.open()
    try slow.result()
    try quick.result()
    #expect(other.attempts == 1, "The other cache was empty: it must compute a Dawn of its own.")
  }

  @Test func `a value that is there is had while another is computed`() throws {
    let noon = try thumbnails.ask(.noon).result()
    let release = Gate("release the computation")
    let slow = computes(.dawn, until: release)
    let quick = thumbnails.ask(.noon)
    #expect(
      !quick.isBlocked,
      thumbnails.timeline.showing(
        "Noon is there, and who asks for it has to wait until Dawn is computed."))
    release.open()
    try slow.result()
    #expect(try quick.result() === noon, "Noon was there, and somebody got another value.")
  }

  @Test(arguments: [false, true]) func `whoever waits for one key doesn't mind another`(
    noonFails: Bool
  ) throws {
    let release = Gate("release Dawn")
    let callers = (1...2).map { _ in thumbnails.ask(.dawn, until: release) }
    runUntilQuiet()
    let noon = thumbnails.ask(.noon, fails: noonFails)
    try #require(!noon.isBlocked, "Noon was asked for while Dawn is computed, and never came.")
    thumbnails.timeline.expect(
      """
      Dawn  ├──────────────…
      Noon       ├────┤
      """,
      """
      Two wait for Dawn: one computes it, the other one waits. Then Noon came to its end, and that \
      woke the one who waited, who went on as if Dawn had. Whoever is woken must look again.
      """)
    #expect(
      callers.allSatisfy { !$0.hasReturned },
      "Dawn isn't there yet, and somebody who asked for it has returned.")
    release.open()
    for caller in callers { try caller.result() }
    #expect(thumbnails.timeline.entries(of: "Dawn") == 1, "Dawn must be computed once.")
  }

  @Test func `a computation may ask for another key`() throws {
    let album = try mustReturn(
      "value(for: Dawn), which asks for Noon,", "Is a lock held while a value is computed?"
    ) { [thumbnails] in
      try thumbnails.cache.value(for: .dawn) {
        _ = try thumbnails.cache.value(for: .noon) { try thumbnails.render(.noon) }
        return try thumbnails.render(.dawn)
      }
    }
    let noon = try thumbnails.ask(.noon).result()
    #expect(
      noon.attempt == 1 && album.attempt == 2 && thumbnails.attempts == 2,
      "While Dawn was computed, Noon was; both must be kept.")
  }

  @Test func `a computation that asks for another key waits like anybody else`() throws {
    let release = Gate("release Noon")
    let noon = computes(.noon, until: release)
    let dawn = thumbnails.timeline.asks("Dawn") { [thumbnails] in
      try thumbnails.cache.value(for: .dawn) {
        _ = try thumbnails.cache.value(for: .noon) { try thumbnails.render(.noon) }
        return try thumbnails.render(.dawn)
      }
    }
    thumbnails.timeline.expect(
      """
      Noon  ├─────────…
      Dawn       ┆┄┄┄┄…
      """,
      """
      Noon was being computed when the computation of Dawn asked for it, and it was computed once more. \
      A computation that asks for another key waits for it, like everybody.
      """)
    release.open()
    try noon.result()
    try dawn.result("Its computation waited for Noon, which is there.")
    thumbnails.timeline.expect(
      """
      Noon  ├─────────┤
      Dawn       ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "Dawn and Noon must be computed once each.")
  }

  // MARK: - Failure

  @Test func `a failure isn't kept`() throws {
    for attempt in 1...2 {
      #expect(
        throws: RenderingFailed(attempt: attempt),
        "Attempt \(attempt) has failed: its error goes to whoever asked."
      ) {
        try thumbnails.ask(.dawn, fails: true).result("The attempts before it have failed.")
      }
    }
    let caller = thumbnails.ask(.dawn)
    runUntilQuiet()
    let value = try? caller.result("The attempts before it have failed; nobody computes.")
    #expect(
      value?.attempt == 3,
      """
      Two attempts have failed, and the third could succeed: the file is there by now, or the network. \
      Keep values only; an error isn't one.
      """)
    let again = try thumbnails.ask(.dawn).result()
    #expect(
      again.attempt == 3 && thumbnails.attempts == 3,
      "The third attempt has succeeded; from then on its value must be kept.")
  }

  // caller 1      caller 2      caller 3
  // computes
  //               asks          asks
  // fails
  //               computes      must wait on   (or the other way round)
  @Test func `of those who waited for a failure, one tries again`() throws {
    let fail = Gate("let the first attempt fail")
    let release = Gate("release the second attempt")
    let first = computes(.dawn, until: fail, fails: true)
    let others = (1...2).map { _ in thumbnails.ask(.dawn, until: release) }
    runUntilQuiet()
    fail.open()
    #expect(
      throws: RenderingFailed(attempt: 1),
      "The first attempt has failed: its caller must get the error."
    ) { try first.result() }
    runUntilQuiet()
    let underWay = thumbnails.underWay(.dawn)
    #expect(
      underWay == 1,
      thumbnails.timeline.showing(
        """
        Two threads waited while a third one computed. That has failed, so one of them must try \
        again, and the other must wait for it; but \(underWay) compute now. Whoever wakes up has to \
        look again.
        """))
    release.open()
    let values = try others.map { other in
      try other.result("It waited, and must have the value of the second attempt.")
    }
    #expect(
      values.allSatisfy { $0.attempt == 2 } && thumbnails.attempts == 2,
      "The second attempt has succeeded, and there was no need for another one.")
  }

  @Test func `a failure wakes who waited for it, whoever else waits`() throws {
    let release = Gate("release Dawn")
    let fail = Gate("let the first attempt at Noon fail")
    let dawn = (1...5).map { _ in thumbnails.ask(.dawn, until: release) }
    runUntilQuiet()
    let first = computes(.noon, until: fail, fails: true)
    let second = thumbnails.ask(.noon)
    runUntilQuiet()
    try #require(
      thumbnails.timeline.orderOfEntry == ["Dawn", "Noon"],
      thumbnails.timeline.showing(
        "Five asked for Dawn and two for Noon: each of the two must be being computed, once."))
    fail.open()
    thumbnails.timeline.expect(
      """
      Dawn  ├────────────────────────…
      Noon       ├────┤    ├────┤
      """,
      """
      Two asked for Noon, and the first one's attempt has failed, so the second must make the next. It \
      waits on: somebody was woken who waits for Dawn. Wake everybody, or those who wait for this key.
      """)
    #expect(
      first.hasReturned && second.hasReturned,
      "Both attempts at Noon are over, and not both who asked for it have returned.")
    release.open()
    for caller in dawn { try caller.result() }
    #expect(thumbnails.timeline.entries(of: "Dawn") == 1, "Dawn must be computed once.")
  }

  // MARK: - Many threads

  @Test func `many threads may ask for many keys`() throws {
    let keys = (1...8).map { PhotoKey(name: "photo \($0)") }
    try race("caller", threads: 4) { [thumbnails] thread in
      for turn in 0..<16 {
        let key = keys[(turn + thread * 2) % keys.count]
        _ = try? thumbnails.cache.value(for: key) { try thumbnails.render(key) }
      }
    }
    #expect(
      thumbnails.attempts == 8,
      "Four threads asked for eight keys, twice each; \(thumbnails.attempts) were computed.")
  }

  // Nothing but a lock of the answer's orders the two.
  @Test func `whoever comes later may ask as well`() throws {
    let cache = ComputeOnceCache<PhotoKey, Int>()
    let compute: @Sendable () throws -> Int = { 42 }
    let (first, later) = (Locked<Int?>(nil), Locked<Int?>(nil))
    try meet(
      "value(for: Dawn)", { first.set(try? cache.value(for: .dawn, compute: compute)) },
      { later.set(try? cache.value(for: .dawn, compute: compute)) })
    #expect(first.value == 42, "compute has returned 42.")
    #expect(later.value == 42, "The value was there, and whoever asked later got another one.")
  }

  @Test func `keys come and go as they must in any order`() {
    playScripts(of: CacheScript.self)
  }

  // MARK: - Fixtures

  /// Somebody asks first for a key, and computes it until `gate` opens.
  private func computes(
    _ key: PhotoKey, until gate: Gate, fails: Bool = false
  ) -> TestThread<Thumbnail> {
    defer {
      eventually("\(key.name) was asked for, and is never computed.") {
        thumbnails.underWay(key) == 1
      }
    }
    return thumbnails.ask(key, until: gate, fails: fails)
  }
}

extension ComputeOnceCache: OpaqueMirror {}
