import Dispatch
import KataTesting
import Testing

/// Proves that the work runs on the worker and its result arrives once on the callback queue, that nobody
/// is held meanwhile, and that completions come in the order in which the results are made.
@Suite(.serialized, .kata) struct BackgroundWorkTests {
  private let timeline = Timeline()
  private let worker = DispatchQueue(label: "katas.spec.worker")
  private let callback = DispatchQueue(label: "katas.spec.callback")
  private let places: Places
  private let background: BackgroundWork

  init() {
    background = BackgroundWork(worker: worker, callback: callback)
    places = Places(["on the worker": worker, "on the callback queue": callback])
  }

  @Test func `the result arrives at the completion`() {
    run("work")
    let hasArrived = eventually(
      """
      run was given work and a completion, and the completion was never called. Three steps, in \
      run: put a block on the worker with worker.async { … }; in that block, let result = work(); \
      and still in that block, hand it on with callback.async { completion(result) }.
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

  // MARK: - Any worker, anybody's value

  // caller        worker
  // runs a thousand
  // goes on       is busy with something else
  //               works them off
  @Test func `run returns, however much waits`() {
    worker.suspend()
    let caller = TestThread("run") {
      for number in 0..<1000 {
        background.run {
          number
        } completion: {
          timeline.mark("completion", "\($0)")
        }
      }
    }
    runUntilQuiet()
    let hasReturned = caller.hasReturned
    worker.resume()
    runUntilQuiet()
    #expect(
      hasReturned,
      """
      The worker was busy, and a thousand pieces of work were given to run: it must return each time, \
      however many wait already. Don't count them, and don't wait for one to end.
      """)
    #expect(
      completions == (0..<1000).map { .mark("\($0)") },
      """
      A thousand pieces of work were run on a serial worker, and \(completions.count) completions were \
      called. Each must be, once, in the order of the work.
      """)
  }

  @Test func `a concurrent worker does more at once`() {
    let background = backgroundAtOnce()
    let release = Gate("release the work")
    for work in ["first", "second"] { run(work, on: background, until: release) }
    timeline.expect(
      """
      first   ├─────────…
      second       ├────…
      """,
      """
      The worker is a concurrent queue, and the second work waited for the first. How much runs at \
      once is up to the worker: put the block there without a flag, and hold no lock.
      """)
  }

  @Test func `of two at once the result that is made first comes first`() {
    let background = backgroundAtOnce()
    let release = Gate("release the first work")
    run("first", on: background, until: release)
    run("second", on: background)
    timeline.expect(
      """
      first       ├───────────────────…
      second           ├────┤
      completion                 ●  result of second
      """,
      """
      On a concurrent worker the second work is done and the first isn't. The second completion must \
      have been called, and no other: whoever's result is there is told, and waits for nobody.
      """)
    release.open()
    timeline.expect(
      """
      first       ├───────────────────┤
      second           ├────┤
      completion                 ●         ●  result of second, result of first
      """,
      "Then the first must be, once.")
  }

  @Test func `run inside the work gets in line`() {
    _ = TestThread("run") { [background, timeline] in
      background.run {
        background.run {
          timeline.mark("completion", "the inner work")
        } completion: {
        }
        timeline.mark("completion", "the outer work goes on")
      } completion: {
      }
    }
    runUntilQuiet()
    #expect(
      completions == [.mark("the outer work goes on"), .mark("the inner work")],
      """
      The work called run for more work, on the same serial worker, which is busy with it. run must \
      return at once and the inner work wait for its turn: put it on the worker whoever calls.
      """)
  }

  @Test func `a serial worker does one piece at a time`() {
    let release = Gate("release the work")
    _ = TestThread("run") {
      for work in ["first", "second"] { submit(work, until: release) }
    }
    runUntilQuiet()
    #expect(
      timeline.orderOfEntry == ["first"],
      timeline.showing(
        """
        The worker is a serial queue, and the first work hasn't ended: it must be running alone. Do \
        the work in the worker's block, and nowhere else.
        """))
  }

  @Test func `nobody has to keep it`() {
    worker.suspend()
    _ = TestThread("run") { [worker, timeline] in
      let callback = DispatchQueue(label: "katas.spec.kept-by-nobody-else")
      BackgroundWork(worker: worker, callback: callback).run {
        "result"
      } completion: {
        timeline.mark("completion", $0)
      }
    }
    runUntilQuiet()
    worker.resume()
    runUntilQuiet()
    #expect(
      completions == [.mark("result")],
      """
      run was called on a value that nobody has kept, nor its callback queue, and what it was given \
      wasn't done. The blocks must keep what they need: the callback queue, the work and the completion.
      """)
  }

  // MARK: - Fixtures

  /// What the completions were called with, in that order.
  private var completions: [Timeline.Event.Kind] {
    timeline.events.filter { $0.who == "completion" }.map(\.kind)
  }

  /// A background whose worker does several pieces of work at once.
  private func backgroundAtOnce() -> BackgroundWork {
    let worker = DispatchQueue(label: "katas.spec.several", attributes: .concurrent)
    places.mark(worker, "on the worker")
    return BackgroundWork(worker: worker, callback: callback)
  }

  /// Runs work that stays inside until `gate` opens, from a thread of its own.
  ///
  /// Goes on as soon as the process is quiet, even where `run` doesn't return.
  private func run(
    _ name: String, on background: BackgroundWork? = nil, until gate: Gate? = nil,
    completion: (@Sendable (String) -> Void)? = nil
  ) {
    _ = TestThread("run") { submit(name, on: background, until: gate, completion: completion) }
    runUntilQuiet()
  }

  /// Runs work; where there's no other completion, its result is noted when it's handed over.
  private func submit(
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
