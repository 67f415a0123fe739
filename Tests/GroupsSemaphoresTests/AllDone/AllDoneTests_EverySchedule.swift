import Dispatch
import KataTesting
import Testing

extension AllDoneTests {
  // MARK: - Every schedule

  @Test func `in every schedule one notice comes, after all jobs of init`() {
    let start = DoneCall("init with two jobs") {
      $0.start()
    } model: {
      $0.isStarted = true
    }
    let add = DoneCall("add another job") {
      $0.add()
    } model: {
      $0.isAdded = true
    }
    let resume = DoneCall("the first job's queue is resumed") {
      $0.resume()
    } model: {
      $0.isResumed = true
    }.onlyOnce
    explore([
      Scenario(DoneModel.subject(), threads: [[start], [resume]]),
      Scenario(DoneModel.subject(isStarted: true), threads: [[add], [resume]]),
    ])
  }
}

private typealias DoneCall = ModelledCall<DoneSubject, DoneModel>

/// Two jobs, the queue of the first of which is suspended.
private final class DoneSubject: Sendable, OpaqueMirror {
  private let (first, second) = (
    DispatchQueue(label: "katas.spec.all-done.first"),
    DispatchQueue(label: "katas.spec.all-done.second")
  )
  private let notices = DispatchQueue(label: "katas.spec.all-done.notices")
  private let allDone = LockedValue<AllDone?>(nil)
  private let isResumed = LockedValue(false)
  private let (done, added) = (SharedCounter(), SharedCounter())
  /// The jobs of `init` that were done, at each notice.
  private let noticed = LockedValue<[Int]>([])

  init() { first.suspend() }

  func start() {
    let jobs = [first, second].map { queue in
      AllDone.Job(on: queue) { [done] in done.increment() }
    }
    allDone.set(
      AllDone(jobs, noticeQueue: notices) { [done, noticed] in noticed.append(done.value) })
  }

  func add() {
    allDone.value?.add(AllDone.Job(on: second) { [added] in added.increment() })
  }

  func resume() {
    let isFirst = isResumed.withLock { isResumed in
      defer { isResumed = true }
      return !isResumed
    }
    if isFirst { first.resume() }
  }

  var end: String { DoneModel.text(done: done.value, added: added.value, noticed: noticed.value) }
}

private struct DoneModel {
  var isStarted = false
  var isAdded = false
  var isResumed = false

  static func subject(isStarted: Bool = false) -> ModelledSubject<DoneSubject, DoneModel> {
    ModelledSubject(
      model: DoneModel(isStarted: isStarted),
      {
        let subject = DoneSubject()
        if isStarted { subject.start() }
        return subject
      }, end: { $0.end }, modelEnd: { $0.end }, tearDown: { $0.resume() })
  }

  var end: String {
    Self.text(
      done: isStarted ? (isResumed ? 2 : 1) : 0, added: isAdded ? 1 : 0,
      noticed: isStarted && isResumed ? [2] : [])
  }

  static func text(done: Int, added: Int, noticed: [Int]) -> String {
    "\(done) jobs of init are done, \(added) that were added, and notices came after \(noticed)"
  }
}
