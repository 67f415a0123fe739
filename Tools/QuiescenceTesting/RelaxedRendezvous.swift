import Foundation
import Synchronization
import Testing

/// A meeting of two threads that orders nothing: for a data race to be seen every time.
///
/// One thread changes something and says so; the other looks only then. The two wait for each other
/// without a lock and with relaxed atomics, which Thread Sanitizer doesn't take for an order. So
/// where nothing of the code under test orders the change and the look, it reports them, and where
/// something does, it is silent.
///
/// Both waits are short sleeps with a bound: use `timersInPlay` where a test waits for a thread that
/// takes part. After a second or so each goes on by itself, and a thread of ``looker(_:_:)`` after some more.
/// So a meeting may not come about, where the code under test holds a lock or the machine is very busy: ask
/// ``cameAbout`` before you expect what follows from the order of the two.
///
/// No third thread may run in between that the change has woken: both it and the looking thread take
/// locks inside Swift's runtime, which the sanitizer takes for an order of change and look. For the
/// same reason let the calls that meet be made once before, where they do much; generic code, which
/// asks the runtime for its types, does.
///
/// Thread Sanitizer keeps the last four uses of each eight bytes of memory. Small fields that lie
/// side by side can so hide a race, in every run alike: let a test meet in more than one order.
public final class RelaxedRendezvous: Sendable, OpaqueMirror {
  private static let tries = 20_000
  /// Nobody waits for a looking thread before the change is made, so it can wait longer.
  private static let lookersTries = 3 * tries

  private let isThere = Atomic(false)
  private let hasChanged = Atomic(false)
  private let hasLooked = Atomic(false)
  private let wasInTime = Atomic(false)
  private let wasWaitedFor = Atomic(false)

  /// Creates a meeting for one change and one look.
  public init() {}

  /// Says that the change is made, and waits until the other thread has looked.
  public func changed() {
    hasChanged.store(true, ordering: .relaxed)
    Self.wait(tries: Self.tries) { hasLooked.load(ordering: .relaxed) }
    wasWaitedFor.store(hasLooked.load(ordering: .relaxed), ordering: .relaxed)
  }

  /// Waits until the change is made, then looks.
  @discardableResult
  public func look<Seen>(_ body: () -> Seen) -> Seen { look(tries: Self.tries, body) }

  private func look<Seen>(tries: Int, _ body: () -> Seen) -> Seen {
    // It has waited once before it says so: what the runtime does at a first call is behind it then.
    Self.wait(tries: 1) { hasChanged.load(ordering: .relaxed) }
    isThere.store(true, ordering: .relaxed)
    Self.wait(tries: tries) { hasChanged.load(ordering: .relaxed) }
    wasInTime.store(hasChanged.load(ordering: .relaxed), ordering: .relaxed)
    defer { hasLooked.store(true, ordering: .relaxed) }
    return body()
  }

  /// Whether the look came after the change, as it should, and whoever had made the change waited for it.
  ///
  /// Ask when both threads have been waited for.
  public var cameAbout: Bool {
    wasInTime.load(ordering: .relaxed) && wasWaitedFor.load(ordering: .relaxed)
  }

  /// Starts a thread that looks when the change is made, and returns when that thread is there.
  ///
  /// A thread that starts later goes through locks of Foundation's and of Swift's runtime, which could order it
  /// after the change and hide a race.
  public func looker<Seen: Sendable>(
    _ name: String, _ body: @escaping @Sendable () -> Seen
  ) -> TestThread<Seen> {
    let participant = TestThread(name) { [self] in look(tries: Self.lookersTries, body) }
    Self.wait(tries: Self.tries) { isThere.load(ordering: .relaxed) }
    return participant
  }

  private static func wait(tries: Int, until condition: () -> Bool) {
    for _ in 0..<tries where !condition() { usleep(50) }
  }
}

extension RelaxedRendezvous {
  /// Makes two calls on two threads, one after the other, with nothing that orders them.
  ///
  /// ```swift
  /// try RelaxedRendezvous.meet("put and take", { buffer.put(1) }, { _ = buffer.take() })
  /// ```
  ///
  /// So a data race between the two is seen every time. Not for a thread that belongs to the code under test:
  /// it waits here, and what it does for that may order the calls.
  ///
  /// Blocks the calling thread until both have returned, with a bound.
  ///
  /// - Parameters:
  ///   - name: What the threads do, for messages.
  ///   - first: The call that is made first.
  ///   - second: The call that is made after it, on another thread.
  ///   - sourceLocation: Where an issue is recorded.
  /// - Throws: Where a call never returns, the failure of a requirement, which is recorded as an issue too.
  public static func meet(
    _ name: String, _ first: @escaping @Sendable () -> Void,
    _ second: @escaping @Sendable () -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let meeting = RelaxedRendezvous()
    let looking = meeting.looker(name, second)
    let changing = TestThread(name) {
      first()
      meeting.changed()
    }
    try changing.result(timersInPlay: true, sourceLocation: sourceLocation)
    try looking.result(timersInPlay: true, sourceLocation: sourceLocation)
  }
}
