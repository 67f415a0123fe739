import Foundation
import KataTesting
import Testing

extension ComputeOnceCacheTests {
  // MARK: - Failure

  @Test func `a failure isn't kept`() throws {
    for attempt in 1...2 {
      #expect(
        throws: RenderingFailed(attempt: attempt),
        "Attempt \(attempt) has failed: its error must be thrown to its caller."
      ) {
        try thumbnails.ask(.dawn, fails: true).result("The attempts before it have failed.")
      }
    }
    let caller = thumbnails.ask(.dawn)
    runUntilQuiet()
    let value = try? caller.result("The attempts before it have failed, and none is running.")
    #expect(
      value?.attempt == 3,
      """
      Two attempts have failed, and the third had to be made: by then the file may be there, or \
      the network. Keep values only, and no errors.
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
  //               computes      goes on waiting   (or the other way round)
  @Test func `after a failure one waiting caller tries again`() throws {
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
        Two threads waited while a third one computed, and that attempt has failed. One of the two \
        must try again and the other must wait for it; but \(underWay) compute now. A woken thread \
        has to check again.
        """))
    release.open()
    let values = try others.map { other in
      try other.result("It waited, and must get the value of the second attempt.")
    }
    #expect(
      values.allSatisfy { $0.attempt == 2 } && thumbnails.attempts == 2,
      "The second attempt has succeeded, and no other one was needed.")
  }

  @Test func `after each of many failures one waiting caller tries again`() throws {
    let failures = 9
    let ends = (0...failures).map { Gate("end attempt \($0 + 1)") }
    let callers = (1...failures + 3).map { _ in
      TestThread("value(for: Dawn)") { [thumbnails] in
        try thumbnails.cache.value(for: .dawn) {
          let attempt = thumbnails.attempts + 1
          let end = ends[min(attempt, ends.count) - 1]
          return try thumbnails.render(.dawn, until: end, fails: attempt <= failures)
        }
      }
    }
    for (failed, end) in ends.enumerated() {
      runUntilQuiet()
      let underWay = thumbnails.underWay(.dawn)
      try #require(
        underWay == 1,
        thumbnails.timeline.showing(
          """
          Many callers ask for the same key, and \(failed) attempts have failed. One caller must \
          try again, and the others must wait for it, however long they have waited; but \
          \(underWay) compute now.
          """))
      end.open()
    }
    runUntilQuiet()
    let values = callers.compactMap { caller in try? caller.result() }
    #expect(
      values.count == 3 && values.allSatisfy { $0.attempt == failures + 1 },
      """
      \(callers.count) callers asked, and \(failures) attempts failed. The other three callers \
      must get the value of the next attempt, and \(values.count) callers have a value, of \
      attempts \(values.map(\.attempt)).
      """)
  }

  @Test func `a failure wakes the callers of its key`() throws {
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
        "Five callers asked for Dawn and two for Noon: each key must be being computed, once."))
    fail.open()
    thumbnails.timeline.expect(
      """
      Dawn  ├────────────────────────…
      Noon       ├────┤    ├────┤
      """,
      """
      Two callers asked for Noon, and the first one's attempt has failed, so the second must \
      compute, but it still waits. A wakeup may have gone to a caller that waits for Dawn: wake \
      all callers, or those that wait for this key.
      """)
    #expect(
      first.hasReturned && second.hasReturned,
      "Both attempts at Noon are over, and not both of their callers have returned.")
    release.open()
    for caller in dawn { try caller.result() }
    #expect(thumbnails.timeline.entries(of: "Dawn") == 1, "Dawn must be computed once.")
  }

  // MARK: - Many threads

  @Test func `many threads may ask for many keys`() throws {
    let keys = (1...8).map { PhotoKey(name: "photo \($0)") }
    try TestThread.race("caller", threads: 4) { [thumbnails] thread in
      for turn in 0..<16 {
        let key = keys[(turn + thread * 2) % keys.count]
        _ = try? thumbnails.cache.value(for: key) { try thumbnails.render(key) }
      }
    }
    #expect(
      thumbnails.attempts == 8,
      "Four threads asked for eight keys, twice each; \(thumbnails.attempts) were computed.")
  }

  // Only a lock of the answer orders the two accesses.
  @Test func `a later caller gets the value, too`() throws {
    let cache = ComputeOnceCache<PhotoKey, Int>()
    let compute: @Sendable () throws -> Int = { 42 }
    let (first, later) = (LockedValue<Int?>(nil), LockedValue<Int?>(nil))
    try RelaxedRendezvous.meet(
      "value(for: Dawn)", { first.set(try? cache.value(for: .dawn, compute: compute)) },
      { later.set(try? cache.value(for: .dawn, compute: compute)) })
    #expect(first.value == 42, "compute has returned 42.")
    #expect(later.value == 42, "The value was there, and a later caller got another one.")
  }

  @Test func `the rules hold for calls in any order`() {
    playScripts(of: CacheScript.self)
  }
}
