import Foundation
import Synchronization
import Testing

@testable import QuiescenceTesting

@Suite(.serialized, .quiescence) struct CallSequencesTests {
  /// A list that may be wrong from a certain number on, or with equal values.
  private final class List: Sendable {
    enum Fault { case ninthIsLost, equalIsLost, seventeenthWaits, none }

    let fault: Fault
    let values = Mutex<[Int]>([])
    private let room = DispatchSemaphore(value: 16)

    init(_ fault: Fault) { self.fault = fault }

    func append(_ value: Int) {
      if fault == .seventeenthWaits { room.wait() }
      values.withLock {
        if fault == .ninthIsLost, $0.count == 8 { return }
        if fault == .equalIsLost, $0.contains(value) { return }
        $0.append(value)
      }
    }

    func removeFirst() -> Int { values.withLock { $0.removeFirst() } }

    func makeRoom() { for _ in 1...2000 { room.signal() } }
  }

  private typealias Call = ModelledCall<List, [Int]>

  private let append = Call("append(1)") {
    $0.append(1)
  } model: {
    $0.append(1)
  }
  private let appendAnother = Call("append(2)") {
    $0.append(2)
  } model: {
    $0.append(2)
  }
  private let count = Call("count") {
    $0.values.withLock { $0.count }
  } model: {
    $0.count
  }
  private let take = Call("take()") {
    $0.removeFirst()
  } step: { values in
    values.isEmpty ? .waits : .returns(values.removeFirst())
  }

  private func explore(_ fault: List.Fault, _ calls: [Call]) -> Exploration {
    let subject = ModelledSubject<List, [Int]>(
      model: [], { List(fault) }, tearDown: { $0.makeRoom() })
    var exploration = Exploration()
    withKnownIssue(isIntermittent: true) {
      exploration = exploreSequences(of: CallList(subject, calls: calls))
    }
    return exploration
  }

  @Test func `a right object gives what its model gives`() {
    let exploration = explore(.none, [append, appendAnother, count, take])
    #expect(exploration.finding == nil && exploration.isComplete)
    // All calls, each alone and three choices of some, with eight lengths.
    #expect(exploration.schedules == 64)
  }

  @Test func `what goes wrong from a certain number on is found and shortened`() {
    let exploration = explore(.ninthIsLost, [append, count])
    #expect(
      exploration.finding == """
          append(1) → returned, 9 times
          count → 8

        The last call should return: 9
        """)
    #expect(explore(.ninthIsLost, [append, count]).schedules == exploration.schedules)
  }

  @Test func `what goes wrong with equal values is found and shortened`() {
    #expect(
      explore(.equalIsLost, [append, appendAnother, count]).finding == """
          append(2) → returned, 2 times
          count → 1

        The last call should return: 2
        """)
  }

  @Test func `a call that never returns is found`() {
    #expect(
      explore(.seventeenthWaits, [append, count]).finding == """
          append(1) → returned, 16 times
          append(1) never returns

        The last call should return.
        """)
  }

  @Test func `a call that has to wait, or is made once only, is left out`() {
    #expect(explore(.none, [take]).finding == nil)
    #expect(explore(.ninthIsLost, [append.onlyOnce, count]).finding == nil)
  }

  @Test func `the state at the end is compared, too`() {
    let subject = ModelledSubject<List, [Int]>(
      model: [], { List(.ninthIsLost) }, end: { "\($0.values.withLock { $0.count }) values" },
      modelEnd: { "\($0.count) values" })
    var exploration = Exploration()
    withKnownIssue { exploration = exploreSequences(of: CallList(subject, calls: [append])) }
    #expect(
      exploration.finding == """
          append(1) → returned, 9 times
          in the end: 8 values

        In the end it should be: 9 values
        """)
  }

  @Test func `a long result is shown around its first difference`() {
    let all = Call("all") {
      "\($0.values.withLock { $0 })"
    } model: {
      "\($0)"
    }
    let other = Call("all, then 0") {
      "\($0.values.withLock { $0 })"
    } model: {
      "\($0 + [0])"
    }
    let subject = ModelledSubject<List, [Int]>(model: Array(repeating: 1, count: 200)) {
      let list = List(.none)
      list.values.withLock { $0 = Array(repeating: 1, count: 200) }
      return list
    }
    var exploration = Exploration()
    withKnownIssue { exploration = exploreSequences(of: CallList(subject, calls: [all, other])) }
    #expect(exploration.finding?.contains("all, then 0 → … ") == true)
    #expect(exploration.finding?.hasSuffix("1, 1, 0]") == true)
  }

  @Test func `a list without calls, or a length of zero, is refused`() {
    for (calls, lengths) in [([], [1]), ([append], [0])] {
      withKnownIssue {
        exploreSequences(
          of: CallList(ModelledSubject(model: [], { List(.none) }), calls: calls), lengths: lengths)
      } matching: {
        $0.description.hasSuffix("A sequence has at least one call.")
      }
    }
  }
}
