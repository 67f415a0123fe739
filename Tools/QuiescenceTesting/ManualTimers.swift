import Foundation

/// Timers that fire when the test says so.
///
/// They replace real timers if the code under test accepts a function that sets its timers. No test
/// waits for real time, and a timer can fire at the worst moment.
///
/// ```swift
/// let timers = ManualTimers()
/// let session = Session(timeout: 30, schedule: { timers.set($0, $1) })
/// timers.firePending()
/// ```
public final class ManualTimers: Sendable, OpaqueMirror {
  /// A timer that was set.
  public struct Setting: Sendable {
    /// The requested delay.
    public let seconds: TimeInterval
    /// The thread that set it.
    ///
    /// It's retained, so that no later thread can have its identity.
    public var thread: ObjectIdentifier { ObjectIdentifier(setter) }
    /// Whether the canceller that ``ManualTimers/set(_:_:)`` returned has been called.
    public fileprivate(set) var isCancelled = false
    /// Whether it has fired.
    public fileprivate(set) var hasFired = false
    /// Whether the canceller that ``ManualTimers/set(_:_:)`` returned has been released.
    public var isForgotten: Bool { canceller.isGone }
    /// What it runs when it fires.
    public let action: @Sendable () -> Void
    fileprivate let canceller: WeakReference<Canceller>
    // Safe: only its identity is used.
    fileprivate nonisolated(unsafe) let setter: Thread
  }

  /// Lives as long as a closure that could cancel the timer.
  fileprivate final class Canceller: Sendable {}

  private let settings = LockedValue<[Setting]>([])
  private let delays = RandomDelays.ofThisProcess

  /// Creates an empty set of timers.
  public init() {}

  /// Sets a timer, and returns a closure that cancels it.
  @discardableResult
  public func set(
    _ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    delays.delayRandomly()
    let canceller = Canceller()
    let index = settings.withLock { settings in
      settings.append(
        Setting(
          seconds: seconds, action: action, canceller: WeakReference(canceller),
          setter: Thread.current))
      return settings.count - 1
    }
    return { [settings] in
      withExtendedLifetime(canceller) {}
      settings.withLock { settings in
        if settings.indices.contains(index) { settings[index].isCancelled = true }
      }
    }
  }

  /// All timers, in the order in which they were set.
  public var all: [Setting] { settings.value }

  /// The delays of all timers, in the order in which they were set.
  public var seconds: [TimeInterval] { all.map(\.seconds) }

  /// Whether any timer was set and hasn't been cancelled, whether it has fired or not.
  public var isAnyWaiting: Bool { all.contains { !$0.isCancelled } }

  /// Fires the timers that were neither cancelled nor fired before, in the order in which they were
  /// set.
  ///
  /// This is what Dispatch does when all of them are due. Their actions run on the calling thread.
  /// A timer that an earlier action cancels doesn't fire, and one that an action sets fires at the
  /// next call.
  public func firePending() {
    // Checked one at a time, since an action may cancel a later timer; timers that are set
    // meanwhile wait for the next call.
    for number in all.indices {
      let timers = all
      guard timers.indices.contains(number), !timers[number].isCancelled,
        !timers[number].hasFired
      else { continue }
      fire(number..<number + 1)
    }
  }

  /// Fires timers unconditionally: all that were ever set, or those with the given numbers, of
  /// which the first is 0.
  ///
  /// That includes timers that were cancelled, since a cancellation may come too late, and timers
  /// that have fired before. Their actions run on the calling thread.
  public func fire(_ numbers: Range<Int>? = nil) {
    let count = all.count
    for number in (numbers ?? 0..<count).clamped(to: 0..<count) {
      let action = settings.withLock { settings -> (@Sendable () -> Void)? in
        guard settings.indices.contains(number) else { return nil }
        settings[number].hasFired = true
        return settings[number].action
      }
      action?()
    }
  }

  /// Releases all actions.
  public func forget() { settings.set([]) }
}
