import Dispatch
import KataTesting
import Testing

extension PatientWaitTests {
  // MARK: - Every schedule

  @Test func `in every schedule a wait is about the jobs of its time`() {
    typealias Call = ModelledCall<StoppedJobs, JobsLeft>
    let asks = Call("wait(atMost: 0)") {
      $0.ask()
    } model: {
      $0.outcome
    }
    let ends = Call("the jobs run, and a wait for them") {
      $0.end()
    } model: {
      $0.end()
    }
    let runs = Call("run") {
      $0.run()
      return ""
    } model: {
      $0.run()
    }
    let threads = [
      [[asks], [ends, runs, asks]],
      [[asks], [runs]],
      [[asks], [asks, ends]],
    ]
    let subject = ModelledSubject(
      model: JobsLeft(), { StoppedJobs() }, end: { "\($0.ask())" }, modelEnd: { "\($0.outcome)" },
      tearDown: { $0.resume(forGood: true) })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

// MARK: - Fixtures

/// Jobs on a queue that is suspended until they must run, so that none holds a thread; at first one.
private final class StoppedJobs: Sendable, OpaqueMirror {
  private let wait = PatientWait { $0 == 0 ? .longOver : .never }
  private let queue = DispatchQueue(label: "katas.spec.patient-wait.stopped")
  private let state = LockedValue((isStopped: true, isOver: false))

  init() {
    queue.suspend()
    run()
  }

  func run() { wait.run(on: queue) {} }

  func ask() -> PatientWait.Outcome { wait.wait(atMost: 0) }

  /// Runs the jobs and waits until they are done; later jobs wait again.
  func end() -> PatientWait.Outcome {
    resume(forGood: false)
    let outcome = wait.wait(atMost: 5)
    state.withLock { state in
      // Dispatch traps if a suspended queue is released.
      guard !state.isOver else { return }
      state.isStopped = true
      queue.suspend()
    }
    return outcome
  }

  /// Runs the jobs, and if it's for good those to come too.
  func resume(forGood: Bool) {
    state.withLock { state in
      if state.isStopped { queue.resume() }
      state = (false, forGood)
    }
  }
}

/// The model: how many jobs aren't done.
private struct JobsLeft: Sendable {
  private var jobs = 1

  var outcome: PatientWait.Outcome { jobs == 0 ? .finished : .timedOut }

  mutating func run() -> String {
    jobs += 1
    return ""
  }

  mutating func end() -> PatientWait.Outcome {
    jobs = 0
    return .finished
  }
}
