import KataTesting
import Testing

/// What a download does when it is started.
enum DownloadCourse: String, CaseIterable, Sendable {
  /// It is in flight until the spec finishes it.
  case stays = "stays in flight"
  case finishesAtOnce = "finishes at once"
  case throwsAtOnce = "throws"
  case finishesAndThrows = "calls finished and throws"
}

struct BrokenDownload: Error {}

/// Downloads that show on a timeline when they are in flight, and a limiter for them.
///
/// When the test ends, so do all downloads, and nothing is left in line.
final class Downloads: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let limiter: DownloadLimiter
  private let finishers = LockedValue<[String: @Sendable () -> Void]>([:])
  private let testEnds = Gate("the test ends")

  init(limit: Int) {
    limiter = DownloadLimiter(limit: limit)
    _ = TestThread("the end of all downloads") { [self] in
      testEnds.wait()
      for name in timeline.inside { finisher(of: name)?() }
    }
  }

  /// Submits a download on a thread of its own, which must return.
  func submit(
    _ name: String, _ course: DownloadCourse = .stays, advice: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn("submit", Comment(rawValue: advice), sourceLocation: sourceLocation) { [self] in
      add(name, course)
    }
  }

  /// Submits a download on this thread.
  func add(_ name: String, _ course: DownloadCourse) {
    limiter.submit { [self] finished in
      finishers.withLock { $0[name] = finished }
      if testEnds.isOpen { return finished() }
      timeline.enter(name)
      guard course != .stays else { return }
      timeline.leave(name)
      if course != .throwsAtOnce { finished() }
      if course != .finishesAtOnce { throw BrokenDownload() }
    }
  }

  /// The `finished` that the download was given; nil before it was started.
  func finisher(of name: String) -> (@Sendable () -> Void)? { finishers.value[name] }

  /// Ends the download, or calls `finished` `again`, on a thread of its own; nil if it was never started.
  @discardableResult
  func finish(_ name: String, again: Bool = false) -> TestThread<Void>? {
    guard let finished = finisher(of: name) else { return nil }
    if !again { timeline.leave(name) }
    return TestThread("finished") { finished() }
  }
}
