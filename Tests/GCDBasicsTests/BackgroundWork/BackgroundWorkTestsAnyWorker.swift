import Dispatch
import KataTesting
import Testing

extension BackgroundWorkTests {
  // MARK: - Any worker, and no owner

  // caller        worker
  // runs a thousand
  // goes on       is busy with something else
  //               runs them all
  @Test func `run returns, however much work waits`() {
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
      The worker was busy, and a thousand pieces of work were passed to run. It must return each \
      time, however much work waits: don't limit how much, and don't wait for any of it to end.
      """)
    #expect(
      completions == (0..<1000).map { .mark("\($0)") },
      """
      A thousand pieces of work were run on a serial worker, and \(completions.count) completions \
      were called. Each must be called once, in the order of the work.
      """)
  }

  // worker        callback queue
  // works         is busy with something else
  // works on
  //               calls a thousand completions
  @Test func `the worker goes on, however many completions wait`() {
    let ended = LockedValue(0)
    callback.suspend()
    _ = TestThread("run") {
      for number in 0..<1000 {
        background.run {
          ended.withLock { $0 += 1 }
          return number
        } completion: {
          timeline.mark("completion", "\($0)")
        }
      }
    }
    runUntilQuiet()
    let endedMeanwhile = ended.value
    callback.resume()
    runUntilQuiet()
    #expect(
      endedMeanwhile == 1000,
      """
      The callback queue was busy, and of a thousand pieces of work the worker did \
      \(endedMeanwhile). It must do them all meanwhile, however many completions wait.
      """)
    #expect(
      completions == (0..<1000).map { .mark("\($0)") },
      """
      A thousand completions waited until the callback queue was free, and \(completions.count) \
      were called. Each must be called once, in the order of the work.
      """)
  }

  @Test func `a concurrent worker runs several pieces at once`() {
    let background = backgroundAtOnce()
    let release = Gate("release the work")
    for work in ["first", "second"] { run(work, on: background, until: release) }
    timeline.expect(
      """
      first   ├─────────…
      second       ├────…
      """,
      """
      The worker is a concurrent queue, and the second piece of work waited for the first. How \
      much runs at once is up to the worker: submit the block without a flag, and hold no lock.
      """)
  }

  @Test func `the result that is made first is delivered first`() {
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
      On a concurrent worker, the second piece of work is done and the first isn't. The second \
      completion must have been called, and no other: submit each one as soon as its own result is \
      there.
      """)
    release.open()
    timeline.expect(
      """
      first       ├───────────────────┤
      second           ├────┤
      completion                 ●         ●  result of second, result of first
      """,
      "Now the first piece of work is done as well: its completion must be called, once.")
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
      The work called run for more work on the same serial worker, which is busy with it. run must \
      return at once, and the inner work must wait in line: submit it on whatever thread run is \
      called.
      """)
  }

  @Test func `a serial worker runs one piece at a time`() {
    let release = Gate("release the work")
    _ = TestThread("run") {
      for work in ["first", "second"] { submit(work, until: release) }
    }
    runUntilQuiet()
    #expect(
      timeline.orderOfEntry == ["first"],
      timeline.showing(
        """
        The worker is a serial queue, and the first piece of work hasn't ended: it must be running \
        alone. Call work() in the worker's block, and nowhere else.
        """))
  }

  // The queue: is busy, works first, works second, calls back twice
  @Test func `worker and callback queue may be the same`() {
    worker.suspend()
    let background = BackgroundWork(worker: worker, callback: worker)
    _ = TestThread("run") {
      for work in ["first", "second"] {
        background.run {
          timeline.mark("completion", "\(work) work")
        } completion: {
          timeline.mark("completion", "\(work) result")
        }
      }
    }
    runUntilQuiet()
    worker.resume()
    runUntilQuiet()
    #expect(
      completions
        == ["first work", "second work", "first result", "second result"].map { .mark($0) },
      timeline.showing(
        """
        One serial queue is both the worker and the callback queue, and two pieces of work waited \
        in it. A completion is submitted like any other block, so it comes after the work that \
        waits already.
        """))
  }

  // worker        callback queue
  // works first   is busy with something else
  //               gets another block
  // works second
  //               calls the first completion, the other block, the second completion
  @Test func `a completion comes after the blocks that wait already`() {
    callback.suspend()
    run("first")
    callback.async { [timeline] in timeline.mark("completion", "another block") }
    run("second")
    callback.resume()
    runUntilQuiet()
    #expect(
      completions
        == ["result of first", "another block", "result of second"].map { .mark($0) },
      timeline.showing(
        """
        While the callback queue was busy, the first piece of work ended, another block was \
        submitted to the callback queue, and the second piece of work ended. They must be called \
        in this order: each completion is submitted when its own work has returned.
        """))
  }

  @Test func `it needn't be retained`() {
    worker.suspend()
    _ = TestThread("run") { [worker, timeline] in
      let callback = DispatchQueue(label: "katas.spec.retained-by-blocks-only")
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
      run was called on a value that was released afterwards, and so was its callback queue. The \
      work and its completion must be called all the same, once. The blocks must retain what they \
      need: the callback queue, the work and the completion.
      """)
  }
}
