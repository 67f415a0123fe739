import Foundation

/// Timers that go off when the test says so.
///
/// They stand in for real ones, where the code under test lets somebody else set its timers: nobody
/// waits for real time, and a timer can go off at the worst moment.
///
/// ```swift
/// let timers = ManualTimers()
/// let session = Session(timeout: 30, schedule: { timers.set($0, $1) })
/// timers.goOffWaiting()
/// ```
public final class ManualTimers: Sendable, OpaqueMirror {
  /// A timer that was set.
  public struct Setting: Sendable {
    /// The delay that was asked for.
    public let seconds: TimeInterval
    /// The thread that set it, which is kept so that no later one can be taken for it.
    public var thread: ObjectIdentifier { ObjectIdentifier(setter) }
    /// Whether what ``ManualTimers/set(_:_:)`` returned has been called.
    public fileprivate(set) var isCancelled = false
    /// Whether it has gone off.
    public fileprivate(set) var hasGoneOff = false
    /// Whether nobody keeps what ``ManualTimers/set(_:_:)`` returned any more.
    public var isForgotten: Bool { canceller.isGone }
    /// What happens when it goes off.
    public let action: @Sendable () -> Void
    fileprivate let canceller: WeakReference<Canceller>
    // Safe: never asked for anything but its identity.
    fileprivate nonisolated(unsafe) let setter: Thread
  }

  /// Lives as long as somebody may cancel a timer.
  fileprivate final class Canceller: Sendable {}

  private let settings = LockedValue<[Setting]>([])
  private let noise = Noise.ofThisProcess

  /// Creates timers of which none is set.
  public init() {}

  /// Sets a timer, and returns what cancels it.
  @discardableResult
  public func set(
    _ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    noise.perhaps()
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

  /// The timers in the order of setting.
  public var all: [Setting] { settings.value }

  /// The delays, in the order of setting.
  public var seconds: [TimeInterval] { all.map(\.seconds) }

  /// Whether any of them was set and hasn't been cancelled, whether it has gone off or not.
  public var isAnyWaiting: Bool { all.contains { !$0.isCancelled } }

  /// Lets those go off, in the order of setting, that were neither cancelled nor have gone off: what Dispatch
  /// would do when their time has come.
  ///
  /// Their actions run on the calling thread. One that is cancelled by an action before it doesn't go off, and one
  /// that is set meanwhile does so next time.
  public func goOffWaiting() {
    // Each is asked when its turn comes, for the one before it may have cancelled it; what is set
    // meanwhile waits for the next call.
    for number in all.indices {
      let timers = all
      guard timers.indices.contains(number), !timers[number].isCancelled,
        !timers[number].hasGoneOff
      else { continue }
      goOff(number..<number + 1)
    }
  }

  /// Lets timers go off, come what may: all that were ever set, or those with these numbers, of which the first is 0.
  ///
  /// Also those that were cancelled, since that may have come too late, and those that have gone off before. Their
  /// actions run on the calling thread.
  public func goOff(_ numbers: Range<Int>? = nil) {
    let count = all.count
    for number in (numbers ?? 0..<count).clamped(to: 0..<count) {
      let action = settings.withLock { settings -> (@Sendable () -> Void)? in
        guard settings.indices.contains(number) else { return nil }
        settings[number].hasGoneOff = true
        return settings[number].action
      }
      action?()
    }
  }

  /// Lets go of all actions.
  public func forget() { settings.set([]) }
}
