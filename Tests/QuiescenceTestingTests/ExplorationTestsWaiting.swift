import Foundation
import Synchronization
import Testing

@testable import QuiescenceTesting

extension ExplorationTests {
  @Test func `a call that has to wait is explained where no order lets it return`() {
    for threads in [[[take]], [[put], [take, take]], [[take], [put]]] {
      #expect(explore([Scenario(box, threads: threads)], seconds: 0.5).finding == nil)
    }
  }

  @Test func `a call that never returns though it should is reported`() {
    let hidden = ModelledCall<Box, [Int]>("put(1)") {
      $0.stored.withLock { $0 = 1 }
    } step: {
      $0.append(1)
      return .returns
    }
    let exploration = finding { explore([Scenario(box, threads: [[hidden], [take]])]) }
    #expect(exploration.finding?.contains("take() never returns") == true)
  }

  @Test func `what spins is bounded and told`() {
    let spins = ModelledSubject<Atomic<Bool>.Reference, Int>(
      model: 0, { .init() }, tearDown: { $0.stop() })
    let spin = ModelledCall<Atomic<Bool>.Reference, Int>("spin()") {
      $0.spin()
    } step: { _ in
      .returns
    }
    let exploration = finding { explore([Scenario(spins, threads: [[spin]])]) }
    #expect(exploration.finding?.contains("it never came to rest") == true)
  }

  @Test func `many threads that sleep are no unrest`() {
    let gate = Gate("sleepers")
    let sleepers = (1...200).map { TestThread("sleeper \($0)") { gate.wait() } }
    eventually("Not all sleepers wait.") { gate.waiting == sleepers.count }
    let exploration = explore([Scenario(box, threads: [[put], [take]])], seconds: 0.5)
    #expect(exploration.finding == nil)
    gate.open()
  }

  @Test func `without a model a call has to return`() {
    let subject = ModelledSubject(
      { Box() }, check: { _ in nil }, tearDown: { $0.filled.signal() })
    let call = ModelledCall<Box, Void>("take()") { _ = $0.take() }
    let found = finding { explore([Scenario(subject, threads: [[call]])]) }.finding
    #expect(found?.hasSuffix("take() never returns\n\nA call never returned.") == true)
  }
}

extension Atomic<Bool> {
  /// One that can be shared.
  fileprivate final class Reference: Sendable {
    private let isOver = Atomic(false)

    func spin() {
      while !isOver.load(ordering: .relaxed) {}
    }

    func stop() { isOver.store(true, ordering: .relaxed) }
  }
}
