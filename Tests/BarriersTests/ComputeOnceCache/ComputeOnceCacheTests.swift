import Foundation
import KataTesting
import Testing

/// Proves that each key is computed once, by the first caller that asks for it, side by side with
/// other keys, and again only after a failure.
@Suite(.serialized, .kata) struct ComputeOnceCacheTests {
  let thumbnails = ThumbnailCache()

  // MARK: - Kept

  @Test func `a value is computed when it's first asked for, and kept`() throws {
    let first = try thumbnails.ask(.dawn).result()
    #expect(first.attempt == 1, "value must return what compute has returned.")
    let second = try thumbnails.ask(.dawn).result()
    #expect(
      thumbnails.attempts == 1,
      """
      Two calls, one after the other, asked for Dawn, and it was computed \(thumbnails.attempts) \
      times. Keep what compute has returned in a dictionary, and check there first.
      """)
    #expect(first === second, "Two calls asked for Dawn, and they got two different values.")
    let other = ThumbnailCache()
    try other.ask(.dawn).result()
    #expect(
      other.attempts == 1,
      "A second cache was created, and it contained Dawn already: each cache must begin empty.")
  }

  @Test func `many keys are kept`() throws {
    let attempts = SharedCounter()
    let keys = (1...5000).map { PhotoKey(name: "photo \($0)") }
    try mustReturn("value, for 5000 keys, twice,") {
      let cache = ComputeOnceCache<PhotoKey, Int>()
      let compute: () throws -> Int = { attempts.increment() }
      for key in keys + keys { _ = try cache.value(for: key, compute: compute) }
    }
    #expect(
      attempts.value == 5000,
      """
      5000 keys were asked for twice, one after the other; that makes 5000 computations, but there \
      were \(attempts.value). Every computed value must be kept, however many there are.
      """)
  }

  @Test func `nil is kept like any other value`() throws {
    let attempts = SharedCounter()
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
      Dawn was asked for twice, and compute returned nil, which is a value here: Value is Int?. It \
      was computed \(attempts.value) times, but nil must be kept like any other value.
      """)
  }

  @Test func `compute is called on the calling thread`() throws {
    let isSame = try mustReturn("value") {
      let caller = Thread.current
      let compute: () throws -> Bool = { Thread.current === caller }
      return try ComputeOnceCache<PhotoKey, Bool>().value(for: .dawn, compute: compute)
    }
    #expect(
      isSame, "compute was called on another thread. Its caller waits anyway: call it there."
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

  // MARK: - Fixtures

  /// A thread asks for a key as the first one, and computes it until `gate` opens.
  func computes(
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
