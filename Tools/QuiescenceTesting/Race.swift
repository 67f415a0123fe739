import Testing

extension TestThread where Result == Void {
  /// Starts `count` threads that run `body` at the same moment, and waits for all of them with a
  /// timeout.
  ///
  /// ```swift
  /// try TestThread.race("visitor", threads: 4) { _ in counter.visit() }
  /// ```
  ///
  /// The threads meet at a gate, which opens when all of them wait there. So none has a head start,
  /// and only the gate orders what they do. No thread ends before all have run `body`: Thread
  /// Sanitizer forgets the accesses of a thread that has ended, and would miss a race with it.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - name: What the threads do, for messages; each thread appends its number, from 1.
  ///   - count: The number of threads.
  ///   - sourceLocation: Where an issue is recorded.
  ///   - body: What each thread runs; it receives the thread's number, from 0.
  /// - Throws: If a thread never returns, the failure of a requirement, which is also recorded as
  ///   an issue; that thread is left behind.
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
