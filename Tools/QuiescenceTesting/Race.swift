import Testing

extension TestThread where Result == Void {
  /// Starts `count` threads on `body` at the same moment and waits, with a bound, for all of them.
  ///
  /// ```swift
  /// try TestThread.race("visitor", threads: 4) { _ in counter.visit() }
  /// ```
  ///
  /// The threads meet at a gate first; it opens when all of them wait there, so that none has a head
  /// start, and nothing but the gate orders what they do. None ends before all of them have done
  /// their part: Thread Sanitizer forgets what a thread did once it is gone, and would miss a race
  /// with it.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - name: What the threads do, for messages; each has its number behind it, from 1.
  ///   - count: How many threads there are.
  ///   - sourceLocation: Where an issue is recorded.
  ///   - body: What each thread runs; it's given the thread's number, from 0.
  /// - Throws: Where a thread doesn't come back, the failure of a requirement, which is recorded as an issue too;
  ///   that thread is left behind.
  public static func race(
    _ name: String, threads count: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (_ thread: Int) -> Void
  ) throws {
    let start = Gate("start")
    let end = Gate("end")
    let racers = (0..<count).map { thread in
      let done = Promise<Void>()
      _ = TestThread("\(name) \(thread + 1)") {
        start.wait()
        body(thread)
        done.fulfil(())
        end.wait()
      }
      return done
    }
    _ = wait(timersInPlay: false) { start.waiting == count }
    start.open()
    let ending = wait(timersInPlay: false) { racers.allSatisfy { $0.value != nil } }
    end.open()
    if let stuck = racers.firstIndex(where: { $0.value == nil }) {
      try #require(
        Bool(false), "\(HungMark.prefix)\(name) \(stuck + 1) never returned\(ending.reason)",
        sourceLocation: sourceLocation)
    }
  }
}
