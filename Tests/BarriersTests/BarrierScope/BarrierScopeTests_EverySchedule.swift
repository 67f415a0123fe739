import Dispatch
import KataTesting
import Testing

extension BarrierScopeTests {
  // MARK: - Every schedule

  @Test func `in every schedule a read sees the changes before it, and changes nothing`() {
    typealias Call = ModelledCall<ScopedStore<Int>, Int>
    let doubles = Call("update { doubles }") {
      $0.update { $0 *= 2 }
    } model: {
      $0 *= 2
    }
    let adds = Call("update { adds 3 }") {
      $0.update { $0 += 3 }
    } model: {
      $0 += 3
    }
    let value = Call("value") {
      $0.value
    } model: {
      $0
    }
    let throwing = Call("read { throws }") {
      $0.isThrown()
    } model: { _ in
      true
    }
    let subject = ModelledSubject(
      model: 1, { ScopedStore(1, on: HandedInQueue.global.make()) },
      end: { "\($0.value)" }, modelEnd: { "\($0)" })
    let threads = [
      [[value], [value]],
      [[throwing], [throwing]],
      [[doubles], [value]],
      [[doubles], [adds], [value]],
      [[doubles, value], [adds, value]],
    ]
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

private struct Refusal: Error {}

extension ScopedStore<Int> {
  /// Whether the error is rethrown that the body of a read throws.
  fileprivate func isThrown() -> Bool {
    do {
      try read { _ in throw Refusal() }
      return false
    } catch {
      return true
    }
  }
}
