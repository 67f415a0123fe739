import Testing

/// Starts `count` threads on `body` at the same moment and waits, with a bound, for all of them.
///
/// The threads meet at a gate first; it opens when all of them wait there, so that none has a head
/// start, and nothing but the gate orders what they do. None ends before all of them have done
/// their part: Thread Sanitizer forgets what a thread did once it is gone, and would miss a race
/// with it.
///
/// Blocks the calling thread. Where a thread doesn't come back it records an issue and throws; that thread is
/// left behind.
public func race(
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
