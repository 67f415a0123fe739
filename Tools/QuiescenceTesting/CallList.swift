/// The calls that an object has, with a model of it: the source of all small scenarios.
///
/// Most concurrency bugs show up with two threads and two calls each, or with three threads and one
/// call each. These are the scenarios that
/// ``explore(_:seconds:sourceLocation:)-(CallList<Subject,Model>,_,_)`` makes.
public struct CallList<Subject: Sendable, Model: Sendable>: Sendable {
  let subject: ModelledSubject<Subject, Model>
  let calls: [ModelledCall<Subject, Model>]

  /// Creates a list of calls.
  public init(
    _ subject: ModelledSubject<Subject, Model>, calls: [ModelledCall<Subject, Model>]
  ) {
    self.subject = subject
    self.calls = calls
  }

  /// Returns all scenarios with the given number of threads and calls for each thread.
  ///
  /// Threads are interchangeable, so scenarios that differ only in the order of their threads
  /// appear once. Scenarios that repeat a call marked ``ModelledCall/onlyOnce`` are left out.
  public func scenarios(threads: Int, calls count: Int) -> [Scenario<Subject, Model>] {
    let indices = Array(calls.indices)
    let sequences = (0..<count).reduce([[]] as [[Int]]) { sequences, _ in
      sequences.flatMap { sequence in indices.map { sequence + [$0] } }
    }
    return Self.multisets(of: sequences.indices, size: threads).compactMap { chosen in
      let made = chosen.flatMap { sequences[$0] }
      let isAllowed = indices.allSatisfy { index in
        !calls[index].isOnlyOnce || made.count { $0 == index } <= 1
      }
      guard isAllowed else { return nil }
      return Scenario(subject, threads: chosen.map { sequences[$0].map { calls[$0] } })
    }
  }

  /// The smallest scenarios first: two threads with one call each, three with one, two with two.
  var smallScenarios: [Scenario<Subject, Model>] {
    scenarios(threads: 2, calls: 1) + scenarios(threads: 3, calls: 1)
      + scenarios(threads: 2, calls: 2)
  }

  private static func multisets(of elements: Range<Int>, size: Int) -> [[Int]] {
    if size == 0 { return [[]] }
    return elements.flatMap { first in
      multisets(of: first..<elements.upperBound, size: size - 1).map { [first] + $0 }
    }
  }
}
