import KataTesting
import Testing

extension HitCounterTests {
  // MARK: - Every schedule

  @Test func `in every schedule hits in memory are counted one after another`() {
    explore(
      CallList(
        ModelledSubject(
          model: 0, { CounterInUse(HitCounter()) },
          end: { $0.summary }, modelEnd: { "hits: \($0)" }),
        calls: [
          ModelledCall("hit()") {
            $0.hit()
          } model: { number in
            number += 1
            return number
          },
          ModelledCall("hits") {
            $0.hits()
          } model: {
            $0
          },
        ]))
  }

  @Test func `in every schedule hits are stored in order, whatever a store waits for`() {
    typealias Call = ModelledCall<ThreeCounters, StoredNumbers>
    let hitA = Call("a.hit()") {
      $0.hitFirst()
    } model: {
      $0.hitFirst()
    }
    let hitsOfA = Call("a.hits") {
      $0.first.hits()
    } model: {
      $0.first.last ?? 0
    }
    let hitB = Call("b.hit()") {
      $0.hitSecond()
    } model: {
      $0.hitSecond()
    }
    let hitsOfB = Call("b.hits") {
      $0.second.hits()
    } model: {
      $0.second.last ?? 0
    }
    let hitC = Call("c.hit()") {
      $0.third.hit()
    } step: {
      $0.hitThird()
    }
    let hitsOfC = Call("c.hits") {
      $0.third.hits()
    } model: {
      $0.third.last ?? 0
    }
    // B is hit by a thread that needn't wait for C. Only a thread that hits A or C asks for their
    // hits: during a store they may be the old ones.
    let threads = [
      [[hitB, hitsOfB], [hitB]],
      [[hitB], [hitB], [hitsOfB]],
      [[hitA], [hitA], [hitsOfB, hitB]],
      [[hitA, hitsOfA], [hitB, hitsOfB]],
      [[hitC], [hitC, hitsOfC], [hitB]],
      [[hitC], [hitA, hitsOfB], [hitB]],
    ]
    let subject = ModelledSubject(
      model: StoredNumbers(), { ThreeCounters() }, end: { $0.summary }, modelEnd: { $0.summary },
      tearDown: { $0.isSecondHit.open() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

/// A counter that is asked at the end, unless a call never returned and may still have its lock.
private final class CounterInUse: Sendable, OpaqueMirror {
  private let counter: HitCounter
  private let calls = LockedValue(0)

  init(_ counter: HitCounter) { self.counter = counter }

  func hit() -> Int { use { $0.hit() } }
  func hits() -> Int { use { $0.hits } }

  private func use(_ body: (HitCounter) -> Int) -> Int {
    calls.withLock { $0 += 1 }
    defer { calls.withLock { $0 -= 1 } }
    return body(counter)
  }

  var summary: String { calls.value == 0 ? "hits: \(counter.hits)" : "in use" }
}

/// Three counters: a store of A hits B, and a store of C waits until B has been hit.
private final class ThreeCounters: Sendable, OpaqueMirror {
  let first, second, third: CounterInUse
  let isSecondHit = Gate("the second counter has been hit")
  private let stored: [LockedValue<[Int]>]

  init() {
    let stored = (1...3).map { _ in LockedValue<[Int]>([]) }
    func counter(
      _ number: Int, beforeStore: @escaping @Sendable () -> Void = {}
    ) -> CounterInUse {
      CounterInUse(
        HitCounter(
          load: { stored[number].value.last ?? 0 },
          store: { hit in
            beforeStore()
            stored[number].append(hit)
          }))
    }
    self.stored = stored
    let second = counter(1)
    self.second = second
    first = counter(0) { [isSecondHit] in
      _ = second.hit()
      isSecondHit.open()
    }
    third = counter(2) { [isSecondHit] in isSecondHit.wait() }
  }

  func hitFirst() -> Int { first.hit() }

  func hitSecond() -> Int {
    defer { isSecondHit.open() }
    return second.hit()
  }

  var summary: String { StoredNumbers.list(stored.map(\.value)) }
}

/// One hit after another; a hit of A and that of B in its store are one step.
private struct StoredNumbers: Sendable {
  private(set) var first: [Int] = []
  private(set) var second: [Int] = []
  private(set) var third: [Int] = []

  mutating func hitFirst() -> Int {
    _ = hitSecond()
    first.append(first.count + 1)
    return first.count
  }

  mutating func hitSecond() -> Int {
    second.append(second.count + 1)
    return second.count
  }

  mutating func hitThird() -> ModelStep<Int> {
    if second.isEmpty { return .waits }
    third.append(third.count + 1)
    return .returns(third.count)
  }

  var summary: String { Self.list([first, second, third]) }

  static func list(_ stored: [[Int]]) -> String { "stored by a, b and c: \(stored)" }
}
