import Dispatch
import KataTesting
import Testing

extension BackgroundWorkTests {
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
}
