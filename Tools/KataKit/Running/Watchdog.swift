/// Tells when a process has made no progress for longer than it may.
///
/// What counts is the process's own time: what it has computed, but not faster than the clock, and what
/// it has slept through. A process that could run and gets no core uses up neither, so on a busy machine the verdict is the same. A far
/// bound on the clock ends what no figure explains.
struct Watchdog {
  enum Judgement: Equatable {
    case alive
    /// It has had all the time that it may have.
    case stalled
  }

  /// How much longer than the spec's own timeout this one is: by this factor, and by so many
  /// seconds.
  ///
  /// The spec says better what hangs, and what its waiting thread computes doesn't count there.
  private static let grace = (factor: 2.0, seconds: 1.5)
  /// What a process may take for its first event, beyond that, in seconds.
  ///
  /// Nothing of an answer runs before.
  private static let startUp = 60.0
  /// How much longer than its own time a process may take on the clock.
  private static let farBound = 20.0
  /// How often it's looked, in seconds.
  private static let interval = 0.1

  private let timeout: Double
  // Time during which the machine was asleep is nobody's.
  private var fed: SuspendingClock.Instant
  private var lastLook: SuspendingClock.Instant
  private var computed = 0.0
  /// What the process has had since it was fed, in seconds.
  private var own = 0.0

  /// Begins to watch a process that has just been started.
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

  /// Whether it's time for another look.
  var isDue: Bool { lastLook.duration(to: .now) > .seconds(Self.interval) }

  /// Whether it's so long ago that the process made progress.
  func hasWaited(seconds: Double, _ now: SuspendingClock.Instant = .now) -> Bool {
    fed.duration(to: now) > .seconds(seconds)
  }

  /// Looks at the process: what it has computed since it was started, whether it sleeps with all its
  /// threads, and whether it has come to a test.
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
