import Foundation
import KataTesting
import Testing

extension ComputeOnceCacheTests {
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
      !quick.isBlocked(),
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
    try #require(!noon.isBlocked(), "Noon was asked for while Dawn is computed, and never came.")
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
}
