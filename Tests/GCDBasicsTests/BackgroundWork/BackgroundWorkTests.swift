import Dispatch
import KataTesting
import Testing

/// Proves that the work runs on the worker and its result arrives once on the callback queue, that nobody
/// is held meanwhile, and that completions come in the order in which the results are made.
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
      run was given work and a completion, and the completion was never called. Begin at the \
      TODO in your file: it says what runs on which of the two queues. A queue's async puts a \
      block on it and returns at once.
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
        Whoever calls run is held until the slow work is done; on the main thread the app would \
        stand still. Put the work on the worker and return: worker.async, not sync, and no wait.
        """))
  }

  @Test func `the work runs on the worker`() {
    run("work")
    runUntilQuiet()
    #expect(
      timeline.orderOfEntry == ["work"],
      timeline.showing(
        """
        The work must run once, on the worker, and nowhere else. Call work() once, inside the block \
        that you put on the worker: worker.async { let result = work() … }.
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
      "The completion was called while the work was still under way: there is no result yet.")
    release.open()
    timeline.expect(
      """
      work        ├────┤
      completion            ●  result of work
      """,
      """
      The work is done, so the completion must have been called by now, once, with its result. \
      Whoever puts completion on the callback queue must do it when the result is there: inside \
      the worker's block, after work() has returned.
      """)
  }

  @Test func `the worker goes on while the callback queue is busy`() {
    // A suspended queue stands for a busy one: it takes blocks and starts none.
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
      While the callback queue was busy, the first result wasn't taken, and the second work didn't \
      begin: the worker waits for whoever receives results. Hand them on with async.
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
      Two pieces of work were run while the callback queue was busy; then it had time. Each \
      completion must be called with the result of its own work, in the order of the work.
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
        The first work is done and the second is under way. The first completion must have been \
        called, and the second not: each follows its own work.
        """))
  }

  // MARK: - Fixtures

  /// What the completions were called with, in that order.
  var completions: [Timeline.Event.Kind] {
    timeline.events.filter { $0.who == "completion" }.map(\.kind)
  }

  /// A background whose worker does several pieces of work at once.
  func backgroundAtOnce() -> BackgroundWork {
    let worker = DispatchQueue(label: "katas.spec.several", attributes: .concurrent)
    places.mark(worker, "on the worker")
    return BackgroundWork(worker: worker, callback: callback)
  }

  /// Runs work that stays inside until `gate` opens, from a thread of its own.
  ///
  /// Goes on as soon as the process is quiet, even where `run` doesn't return.
  func run(
    _ name: String, on background: BackgroundWork? = nil, until gate: Gate? = nil,
    completion: (@Sendable (String) -> Void)? = nil
  ) {
    _ = TestThread("run") { submit(name, on: background, until: gate, completion: completion) }
    runUntilQuiet()
  }

  /// Runs work; where there's no other completion, its result is noted when it's handed over.
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
