import KataTesting
import Testing

extension AtomicBoxTests {
  // MARK: - Every schedule

  @Test func `in every schedule updates and reads come one after another`() {
    typealias Call = ModelledCall<BoxInUse<BoxedCoins>, BoxedCoins>
    let moves = Call("update { moves a coin }") { box in
      box.use { $0.update { $0.moveOne() } }
    } model: {
      $0.moveOne()
    }
    let throwing = Call("update { throws halfway }") { box in
      box.use { $0.isThrown() }
    } model: { _ in
      true
    }
    let value = Call("value") { box in
      box.use { $0.value.description }
    } model: {
      $0.description
    }
    let threads = [
      [[value], [value]],
      [[moves], [value]],
      [[throwing], [value]],
      [[moves], [throwing]],
      [[moves], [moves], [value]],
      [[moves, value], [throwing, moves]],
    ]
    let subject = ModelledSubject(
      model: BoxedCoins(), { BoxInUse(BoxedCoins()) },
      end: { $0.summary }, modelEnd: { $0.description })
    explore(threads.map { Scenario(subject, threads: $0) })
  }

  @Test func `in every schedule a body may use another box, and wait for its update`() {
    typealias Call = ModelledCall<TwoBoxes, NumbersOfTwo>
    let valueOfA = Call("a.value") {
      $0.valueOfFirst()
    } model: {
      $0.first
    }
    let valueOfB = Call("b.value") {
      $0.valueOfSecond()
    } model: {
      $0.second
    }
    let updateB = Call("b.update") {
      $0.updateSecond()
    } model: {
      $0.updateSecond()
    }
    let both = Call("a.update { b.update }") {
      $0.updateBoth()
    } model: {
      $0.updateBoth()
    }
    // Never returns unless B is updated.
    let waits = Call("a.update { waits until b.update }") {
      $0.updateFirst()
    } step: {
      $0.updateFirst()
    }
    // In each scenario with a wait, B is updated by a thread that needn't wait for A. No thread
    // reads A while an update of both may run: that read may return the value from before it.
    let threads = [
      [[waits, valueOfA], [updateB]],
      [[waits], [waits, valueOfA], [updateB]],
      [[waits, valueOfB], [valueOfB, updateB]],
      [[waits], [both, valueOfB], [updateB]],
      [[both, valueOfA], [updateB, valueOfB]],
      [[both], [both], [valueOfB, updateB]],
    ]
    let subject = ModelledSubject(
      model: NumbersOfTwo(), { TwoBoxes() }, end: { $0.summary }, modelEnd: { $0.summary },
      tearDown: { $0.isSecondUpdated.open() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

extension BoxedCoins {
  /// Moves a coin and returns how many are on the right then.
  fileprivate mutating func moveOne() -> Int {
    move(1) {}
    return right
  }
}

extension AtomicBox<BoxedCoins> {
  /// Whether the error is rethrown that a body throws when it has half changed the value.
  fileprivate func isThrown() -> Bool {
    do {
      try update { try $0.move(3) { throw HoleInThePocket() } }
      return false
    } catch {
      return true
    }
  }
}

/// A box that is read at the end, unless a call never returned and may still have its lock.
private final class BoxInUse<Value: Sendable>: Sendable, OpaqueMirror {
  private let box: AtomicBox<Value>
  private let calls = LockedValue(0)

  init(_ value: Value) { box = AtomicBox(value) }

  func use<Result>(_ body: (AtomicBox<Value>) -> Result) -> Result {
    calls.withLock { $0 += 1 }
    defer { calls.withLock { $0 -= 1 } }
    return body(box)
  }

  var summary: String { calls.value == 0 ? "\(box.value)" : "in use" }
}

/// Two boxes, and a gate that opens when the second has been updated.
private final class TwoBoxes: Sendable, OpaqueMirror {
  private let first = BoxInUse(0)
  private let second = BoxInUse(0)
  let isSecondUpdated = Gate("the second box has been updated")

  func valueOfFirst() -> Int { first.use { $0.value } }
  func valueOfSecond() -> Int { second.use { $0.value } }

  func updateFirst() -> Int {
    first.use { box in
      box.update { number in
        isSecondUpdated.wait()
        number += 1
        return number
      }
    }
  }

  func updateSecond() -> Int {
    // Afterwards: a read that comes before the end may return the old number.
    defer { isSecondUpdated.open() }
    return second.use { box in
      box.update { number in
        number += 1
        return number
      }
    }
  }

  /// Ten times the second box's new number is added to the first.
  func updateBoth() -> Int {
    first.use { box in
      box.update { number in
        number += 10 * updateSecond()
        return number
      }
    }
  }

  var summary: String { "\(first.summary), \(second.summary)" }
}

/// One update after another; an update of both boxes is one step, for meanwhile no other caller
/// updates the first.
private struct NumbersOfTwo: Sendable {
  private(set) var first = 0
  private(set) var second = 0

  mutating func updateFirst() -> ModelStep<Int> {
    guard second > 0 else { return .waits }
    first += 1
    return .returns(first)
  }

  mutating func updateSecond() -> Int {
    second += 1
    return second
  }

  mutating func updateBoth() -> Int {
    first += 10 * updateSecond()
    return first
  }

  var summary: String { "\(first), \(second)" }
}
