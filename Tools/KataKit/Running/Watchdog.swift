/// Tells when a process has made no progress for too long.
///
/// It counts the process's own time: its processor time, but not faster than the clock, and the
/// time that it slept. A process that is ready to run but gets no core uses neither, so the verdict
/// is the same on a busy machine. A far limit on the clock ends any other case.
struct Watchdog {
  enum Judgement: Equatable {
    case alive
    /// It has used all its time.
    case stalled
  }

  /// How much longer this timeout is than the spec's own: by this factor, and by this many seconds.
  ///
  /// The spec's own message says more about a hang, and its waiting thread's processor time doesn't
  /// count there.
  private static let grace = (factor: 2.0, seconds: 1.5)
  /// Additional time for the first event of a process, in seconds.
  ///
  /// No code of an answer runs before it.
  private static let startUp = 60.0
  /// How many times its own time a process may take on the clock.
  private static let farBound = 20.0
  /// The time between samples, in seconds.
  private static let interval = 0.1

  private let timeout: Double
  // The time while the machine was asleep doesn't count.
  private var fed: SuspendingClock.Instant
  private var lastLook: SuspendingClock.Instant
  private var computed = 0.0
  /// The process's own time since its last progress, in seconds.
  private var own = 0.0

  /// Starts to watch a process that has just been started.
  init(timeout: Double, start: SuspendingClock.Instant = .now) {
    self.timeout = timeout
    fed = start
    lastLook = start
  }

  /// The process has made progress.
  mutating func feed(_ now: SuspendingClock.Instant = .now) {
    fed = now
    own = 0
  }

  /// Whether the next sample is due.
  var isDue: Bool { lastLook.duration(to: .now) > .seconds(Self.interval) }

  /// Whether the process's last progress was at least this long ago.
  func hasWaited(seconds: Double, _ now: SuspendingClock.Instant = .now) -> Bool {
    fed.duration(to: now) > .seconds(seconds)
  }

  /// Takes a sample of the process: its processor time since its start, whether all its threads
  /// sleep, and whether it has reached a test.
  mutating func look(
    computed seconds: Double, isAsleep: Bool, hasBegun: Bool,
    _ now: SuspendingClock.Instant = .now
  ) -> Judgement {
    let passed = lastLook.duration(to: now) / .seconds(1)
    lastLook = now
    let used = seconds - computed
    computed = seconds
    own += isAsleep ? passed : min(used, passed)
    let limit =
      timeout * Self.grace.factor + Self.grace.seconds + (hasBegun ? 0 : Self.startUp)
    return own > limit || hasWaited(seconds: limit * Self.farBound, now) ? .stalled : .alive
  }
}
