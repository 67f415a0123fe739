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
  @Test func `callers at the same moment compute a value once`() throws {
    let release = Gate("release the computation")
    let callers = (1...4).map { _ in thumbnails.ask(.dawn, until: release) }
    runUntilQuiet()
    #expect(
      thumbnails.underWay(.dawn) == 1,
      thumbnails.timeline.showing(
        """
        Four threads asked for Dawn at the same moment, and it is being computed \
        \(thumbnails.underWay(.dawn)) times. It must be computed once: the caller that finds it \
        missing has to mark it in the same step, so that the others wait.
        """))
    #expect(
      callers.allSatisfy { !$0.hasReturned }, "There is no value yet, and a caller has returned.")
    release.open()
    let values = try callers.map { caller in
      try caller.result("It waited while another thread computed, and that computation is over.")
    }
    #expect(
      values.allSatisfy { $0 === values[0] },
      "Four threads asked for Dawn at the same moment, and they hold different values.")
    #expect(
      thumbnails.attempts == 1, "Dawn was there, and a caller that had waited computed it again.")
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
      One thread asked for Dawn, another for Noon, and the second waited until the first was \
      computed. Different keys must not wait for each other: hold no lock during a \
      computation.\(likeness)
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
      Forty threads asked for forty keys at the same time, and not all of them compute. Different \
      keys must not wait for each other, however many are being computed.
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
      One cache was computing Dawn, which took long, and a caller that asked another cache for \
      Dawn had to wait. Caches are independent: keep the keys that are being computed in a \
      property.
      """
    ) { quick.hasReturned }
    release.open()
    try slow.result()
    try quick.result()
    #expect(other.attempts == 1, "The other cache was empty: it must compute a Dawn of its own.")
  }

  @Test func `a value that is there is returned while another is computed`() throws {
    let noon = try thumbnails.ask(.noon).result()
    let release = Gate("release the computation")
    let slow = computes(.dawn, until: release)
    let quick = thumbnails.ask(.noon)
    #expect(
      !quick.isBlocked(),
      thumbnails.timeline.showing(
        "Noon is there, and a caller that asks for it waits until Dawn is computed."))
    release.open()
    try slow.result()
    #expect(try quick.result() === noon, "Noon was there, and a caller got another value.")
  }

  @Test(arguments: [false, true]) func `a caller that waits for one key isn't affected by another`(
    noonFails: Bool
  ) throws {
    let release = Gate("release Dawn")
    let callers = (1...2).map { _ in thumbnails.ask(.dawn, until: release) }
    runUntilQuiet()
    let noon = thumbnails.ask(.noon, fails: noonFails)
    try #require(
      !noon.isBlocked(), "A caller asked for Noon while Dawn was being computed, and waits.")
    thumbnails.timeline.expect(
      """
      Dawn  ├──────────────…
      Noon       ├────┤
      """,
      """
      Two threads asked for Dawn: one must compute it and the other wait, also when the \
      computation of Noon ends. A woken thread must check again, because the wakeup may be about \
      another key.
      """)
    #expect(
      callers.allSatisfy { !$0.hasReturned },
      "Dawn isn't there yet, and a caller that asked for it has returned.")
    release.open()
    for caller in callers { try caller.result() }
    #expect(thumbnails.timeline.entries(of: "Dawn") == 1, "Dawn must be computed once.")
  }

  @Test func `a computation may ask for another key`() throws {
    let album = try mustReturn(
      "value(for: Dawn), which asks for Noon,", "Hold no lock while compute runs."
    ) { [thumbnails] in
      try thumbnails.cache.value(for: .dawn) {
        _ = try thumbnails.cache.value(for: .noon) { try thumbnails.render(.noon) }
        return try thumbnails.render(.dawn)
      }
    }
    let noon = try thumbnails.ask(.noon).result()
    #expect(
      noon.attempt == 1 && album.attempt == 2 && thumbnails.attempts == 2,
      "While Dawn was computed, Noon was, too; both must be kept.")
  }

  @Test func `a computation that asks for another key waits like any caller`() throws {
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
      Noon was being computed when the computation of Dawn asked for it, and Noon was computed \
      once more. A computation that asks for another key must wait for it like any caller.
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
