import Foundation
import KataTesting
import Testing

/// An operation whose work begins in `main()` and is ended by the spec.
// Safe: never changed after it is made.
final class Work: AsyncOperation, @unchecked Sendable {
  let label: String
  private let timeline: Timeline
  private let inMain: @Sendable (Work) -> Void

  init(
    _ label: String, on timeline: Timeline, inMain: @escaping @Sendable (Work) -> Void = { _ in }
  ) {
    self.label = label
    self.timeline = timeline
    self.inMain = inMain
    super.init()
    completionBlock = { timeline.mark(label, "completed") }
  }

  override func main() {
    timeline.enter(label)
    inMain(self)
  }

  /// Ends the work.
  func end() {
    timeline.leave(label)
    finish()
  }
}

/// An operation whose `main()` uses nothing that could order the threads of a race.
// Safe: has no state of its own.
final class SilentWork: AsyncOperation, @unchecked Sendable {
  override func main() {}
}

extension Timeline {
  /// How often an operation's `completionBlock` was called.
  func completions(of label: String) -> Int {
    events.count { $0.who == label && $0.kind == .mark("completed") }
  }
}

// MARK: - Moves

extension AsyncOperationTests {
  /// How often an operation's `completionBlock` was called.
  var completions: Int { timeline.completions(of: "work") }

  /// A call that waits inside one of its notices.
  struct ParkedCall: Sendable {
    let call: TestThread<Void>
    let goesOn: Gate
    let probe: KVOProbe
  }

  /// Makes a call on a thread of its own, which waits the first time that it sends `notice`;
  /// returns nil if it never does.
  func parked(
    at notice: KVOProbe.Announcement, _ work: AsyncOperation, _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation, _ call: @escaping @Sendable () -> Void
  ) -> ParkedCall? {
    let (visits, goesOn) = (SharedCounter(), Gate("goes on"))
    let probe = KVOProbe(work) { [timeline] announcement in
      guard announcement == notice, visits.increment() == 1 else { return }
      timeline.visit("its notice", until: goesOn)
    }
    let thread = TestThread(name) { [timeline] in timeline.visit(name, call) }
    let isParked = eventually(
      "The operation changes, but doesn't announce \"\(notice)\".", sourceLocation: sourceLocation
    ) { goesOn.waiting == 1 }
    return isParked ? ParkedCall(call: thread, goesOn: goesOn, probe: probe) : nil
  }

  /// Lets a waiting call continue, and waits for its end.
  func goOn(_ parked: ParkedCall, sourceLocation: SourceLocation = #_sourceLocation) throws {
    parked.goesOn.open()
    try parked.call.result(sourceLocation: sourceLocation)
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}
