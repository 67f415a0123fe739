import Dispatch
import KataTesting
import Testing

/// Proves that the work runs on the worker and its result arrives once, on the callback queue.
///
/// Neither the caller nor the worker waits, and completions are called in the order in which the
/// results are made.
@Suite(.serialized, .kata) struct BackgroundWorkTests {
  let timeline = Timeline()
  let worker = DispatchQueue(label: "katas.spec.worker")
  let callback = DispatchQueue(label: "katas.spec.callback")
  let places: Places
  let background: BackgroundWork

  init() {
    background = BackgroundWork(worker: worker, callback: callback)
    places = Places(["on the worker": worker, "on the callback queue": callback])
  }

  @Test func `the result arrives at the completion`() {
    run("work")
    let hasArrived = eventually(
      """
      run was given work and a completion, and the completion was never called. Begin at the TODO \
      in your file: it says what runs on which of the two queues. A queue's async submits a block \
      to it and returns at once.
      """
    ) { !completions.isEmpty }
    guard hasArrived else { return }
    #expect(
      completions == [.mark("result of work")],
      "The completion must be called with what the work returned.")
  }

  // caller        worker
  // runs
  //               works
  // must go on    (busy)
  @Test func `run returns while the work is under way`() {
    let release = Gate("release the work")
    let caller = TestThread("run") {
      timeline.visit("caller") {
        background.run {
          timeline.visit("work", until: release)
        } completion: {
        }
      }
    }
    runUntilQuiet()
    #expect(
      caller.hasReturned,
      timeline.showing(
        """
        run hasn't returned while the work is still being done; on the main thread, the app would \
        freeze. Submit the work to the worker and return: worker.async, not sync, and don't wait.
        """))
  }

  @Test func `the work runs on the worker`() {
    run("work")
    runUntilQuiet()
    #expect(
      timeline.orderOfEntry == ["work"],
      timeline.showing(
        """
        The work must run once, on the worker, and nowhere else. Call work() once, inside the \
        block that you submit to the worker: worker.async { let result = work() … }.
        """))
  }

  @Test func `the completion is called on the callback queue`() {
    run("work") { _ in timeline.mark("completion", places.current) }
    runUntilQuiet()
    #expect(
      completions == [.mark("on the callback queue")],
      timeline.showing(
        """
        The completion must be called once, on the callback queue that the caller chose, and \
        nowhere else. From the worker you get there with callback.async { completion(result) }.
        """))
  }

  @Test func `the completion waits for the work`() {
    let release = Gate("release the work")
    run("work", until: release)
    timeline.expect(
      "work  ├────…",
      "The completion was called while the work was still running: there is no result yet.")
    release.open()
    timeline.expect(
      """
      work        ├────┤
      completion            ●  result of work
      """,
      """
      The work is done, so the completion must have been called by now, once, with its result. \
      Submit the completion to the callback queue when the result is there: inside the worker's \
      block, after work() has returned.
      """)
  }

  @Test func `the worker goes on while the callback queue is busy`() {
    // A suspended queue stands for a busy one: it accepts blocks and starts none.
    callback.suspend()
    let caller = TestThread("run") {
      for work in ["first", "second"] { submit(work) }
    }
    timeline.expect(
      """
      first   ├────┤
      second            ├────┤
      """,
      """
      While the callback queue is busy, both pieces of work must run on the worker, one after the \
      other. The worker must not wait for a completion: submit each one to the callback queue with \
      async.
      """)
    callback.resume()
    runUntilQuiet()
    #expect(caller.hasReturned, "run must return, however busy the callback queue is.")
    timeline.expect(
      """
      first       ├────┤
      second                ├────┤
      completion                      ●    ●  result of first, result of second
      """,
      """
      Two pieces of work were run while the callback queue was busy; then it was free again. Each \
      completion must be called once, with the result of its own work, in the order of the work.
      """)
  }

  // worker        callback queue
  // first work
  // second work   the first completion
  // stays
  @Test func `a completion doesn't wait for other work`() {
    let releaseFirst = Gate("release the first work")
    let releaseSecond = Gate("release the second work")
    run("first", until: releaseFirst)
    run("second", until: releaseSecond)
    releaseFirst.open()
    runUntilQuiet()
    #expect(
      completions == [.mark("result of first")],
      timeline.showing(
        """
        The first piece of work is done, and the second is still running. The first completion \
        must have been called, and not the second: each waits for its own work only.
        """))
  }

  // MARK: - Fixtures

  /// What the completions were called with, in that order.
  var completions: [Timeline.Event.Kind] {
    timeline.events.filter { $0.who == "completion" }.map(\.kind)
  }

  /// A `BackgroundWork` whose worker runs several pieces of work at once.
  func backgroundAtOnce() -> BackgroundWork {
    let worker = DispatchQueue(label: "katas.spec.several", attributes: .concurrent)
    places.mark(worker, "on the worker")
    return BackgroundWork(worker: worker, callback: callback)
  }

  /// Runs work that waits until `gate` opens, and calls `run` on a thread of its own.
  ///
  /// Returns as soon as the process is quiet, even if `run` doesn't return.
  func run(
    _ name: String, on background: BackgroundWork? = nil, until gate: Gate? = nil,
    completion: (@Sendable (String) -> Void)? = nil
  ) {
    _ = TestThread("run") { submit(name, on: background, until: gate, completion: completion) }
    runUntilQuiet()
  }

  /// Runs work; the default completion notes the result.
  func submit(
    _ name: String, on background: BackgroundWork? = nil, until gate: Gate? = nil,
    completion: (@Sendable (String) -> Void)? = nil
  ) {
    (background ?? self.background).run {
      let place = places.current
      timeline.visit(place == "on the worker" ? name : "\(name), \(place)") { gate?.wait() }
      return "result of \(name)"
    } completion: { result in
      if let completion { completion(result) } else { timeline.mark("completion", result) }
    }
  }
}
