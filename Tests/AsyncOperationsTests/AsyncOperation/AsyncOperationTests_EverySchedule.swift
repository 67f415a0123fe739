import Foundation
import KataTesting
import Testing

extension AsyncOperationTests {
  // MARK: - Every schedule

  // No order of whole calls explains every result: a finish inside the notices of the start may
  // count, but one just before them doesn't. So the check asks which calls had returned when
  // another began.
  @Test(.observesKVO) func `in every schedule it ends once, by a finish or by its start`() {
    typealias Call = ModelledCall<ObservedLife, Void>
    let start = Call("start()") { $0.make(.start) }
    let cancel = Call("cancel()") { $0.make(.cancel) }
    let finish = Call("finish()") { $0.make(.finish) }
    let threads = [
      [[start], [finish]],
      [[start], [cancel]],
      [[start, finish], [cancel]],
      [[cancel, start], [finish]],
      [[start], [finish], [finish]],
      [[start], [cancel], [finish]],
    ]
    let subject = ModelledSubject({ ObservedLife() }, check: { $0.complaint })
    explore(threads.map { Scenario(subject, threads: $0) })
  }

  @Test(.observesKVO) func `in every schedule two finishes end it once`() {
    typealias Call = ModelledCall<ObservedLife, Void>
    let start = Call("start()") { $0.make(.start) }
    let finish = Call("finish()") { $0.make(.finish) }
    let subject = ModelledSubject({ ObservedLife() }, check: { $0.complaint })
    explore([Scenario(subject, threads: [[start, finish], [finish]])])
  }

  @Test(.observesKVO) func `in every schedule a finish counts once the work is executing`() {
    typealias Call = ModelledCall<ObservedLife, Void>
    let start = Call("start()") { $0.make(.start) }
    let cancel = Call("cancel()") { $0.make(.cancel) }
    let finish = Call("if isExecuting { finish() }") { $0.finishIfExecuting() }
    let threads = [[[start], [finish]], [[start], [cancel], [finish]]]
    let subject = ModelledSubject({ ObservedLife() }, check: { $0.lostFinish })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

/// An operation, with its calls, its notices, and how often its work began.
private final class ObservedLife: Sendable, OpaqueMirror {
  enum Call { case start, cancel, finish }

  /// A call that has returned.
  struct Span {
    let call: Call
    let (began, returned): (Int, Int)
    /// Whether the end was announced when it returned.
    let isEndKnown: Bool
  }

  struct State {
    let isExecuting, isFinished, isCancelled: Bool
  }

  // Safe: `mains` never changes.
  private final class CountedWork: AsyncOperation, @unchecked Sendable {
    let mains = SharedCounter()

    override func main() { mains.increment() }
  }

  private let work = CountedWork()
  private let probe: KVOProbe
  private let ticks = SharedCounter()
  private let spans = LockedValue<[Span]>([])

  init() { probe = KVOProbe(work) }

  func make(_ call: Call) {
    let began = ticks.increment()
    switch call {
    case .start: work.start()
    case .cancel: work.cancel()
    case .finish: work.finish()
    }
    let isEndKnown = probe.notices(of: .did(.isFinished)).contains { $0.isFinished }
    spans.append(
      Span(call: call, began: began, returned: ticks.increment(), isEndKnown: isEndKnown))
  }

  /// Calls `finish()` if `isExecuting` is true.
  func finishIfExecuting() {
    if work.isExecuting { make(.finish) }
  }

  // MARK: - What is wrong

  /// Finds that the only `finish()`, called while the work was executing, had no effect, or had it
  /// after its return.
  var lostFinish: String? {
    guard let finish = finishes.first else { return nil }
    guard work.isFinished, !work.isExecuting else {
      return "isExecuting was true, then finish() was called, but it isn't finished."
    }
    return finish.isEndKnown ? nil : "finish() had returned before its end was announced."
  }

  var complaint: String? {
    let state = State(
      isExecuting: work.isExecuting, isFinished: work.isFinished, isCancelled: work.isCancelled)
    return wrongState(state) ?? wrongMain(state) ?? wrongNotices(state)
  }

  private var start: Span? { spans.value.first { $0.call == .start } }
  private var cancels: [Span] { spans.value.filter { $0.call == .cancel } }
  private var finishes: [Span] { spans.value.filter { $0.call == .finish } }

  private var isCancelledBefore: Bool {
    start.map { start in cancels.contains { $0.returned < start.began } } ?? false
  }

  private func wrongState(_ state: State) -> String? {
    if state.isExecuting, state.isFinished {
      return "It's finished and still executing."
    }
    if !state.isFinished, state.isCancelled != !cancels.isEmpty {
      return "cancel() was called \(cancels.count) times, but isCancelled is \(state.isCancelled)."
    }
    guard let start else {
      return state.isExecuting || state.isFinished
        ? "It wasn't started, but it's no longer waiting." : nil
    }
    guard state.isExecuting || state.isFinished else {
      return "It was started, but it's neither executing nor finished."
    }
    if state.isFinished {
      let mayBe =
        cancels.contains { $0.began < start.returned }
        || finishes.contains { $0.returned > start.began }
      return mayBe
        ? lateEnd(after: start)
        : "It's finished, but there was no finish() after its start and no cancel() before."
    }
    if isCancelledBefore { return "It was cancelled before its start, but isn't finished." }
    return finishes.contains { $0.began > start.returned }
      ? "finish() was called after its start, but it isn't finished." : nil
  }

  /// Finds a `finish()` that returned before the end was announced, though no other call could have
  /// ended it.
  private func lateEnd(after start: Span) -> String? {
    let isLate = finishes.contains { finish in
      let isAlone = finishes.allSatisfy {
        $0.began == finish.began || $0.returned < finish.began || finish.returned < $0.began
      }
      return isAlone && finish.began > start.returned && !finish.isEndKnown
    }
    return isLate ? "finish() had returned before its end was announced." : nil
  }

  private func wrongMain(_ state: State) -> String? {
    let mains = work.mains.value
    if mains > 1 { return "main() was called \(mains) times." }
    if mains == 1, isCancelledBefore {
      return "It was cancelled before its start, but main() was called."
    }
    if mains == 1, start == nil { return "main() was called before its start." }
    return mains == 0 && state.isExecuting ? "It's executing, but main() was never called." : nil
  }

  /// Two things are unspecified, so they aren't checked: whether an unchanged key is announced too,
  /// and which of two threads is observed first.
  private func wrongNotices(_ state: State) -> String? {
    let (wills, dids) = (values(.will(.isExecuting)), values(.did(.isExecuting)))
    let (endWills, endDids) = (values(.will(.isFinished)), values(.did(.isFinished)))
    let list = probe.showing("It announced:").rawValue
    let changes = state.isFinished ? 2 : state.isExecuting ? 1 : 0
    // An operation that was cancelled meanwhile may have ended without executing.
    let fewest = state.isFinished && state.isCancelled ? 0 : changes
    guard wills.count == dids.count, endWills.count == endDids.count else {
      return "Not every \"will\" has its \"did\". \(list)"
    }
    guard (fewest...changes).contains(dids.count), endDids.count <= changes else {
      return "It announced more or fewer changes than it made. \(list)"
    }
    guard wills.map(\.isExecuting) == Array([false, true].prefix(wills.count)),
      endWills.allSatisfy({ !$0.isFinished })
    else { return "A \"will\" was sent after its change. \(list)" }
    if state.isFinished, !endDids.contains(where: { $0.isFinished && !$0.isExecuting }) {
      return "It's finished, but its end wasn't announced after the change. \(list)"
    }
    if isCancelledBefore, probe.notices.contains(where: \.isExecuting) {
      return "It was cancelled before its start, but it executed. \(list)"
    }
    return nil
  }

  private func values(_ announcement: KVOProbe.Announcement) -> [KVOProbe.Notice] {
    probe.notices(of: announcement)
  }
}
