import Foundation
import Synchronization
import Testing

/// A rendezvous of two threads without a happens-before relation, so that a data race is seen every
/// time.
///
/// One thread changes something and signals that; the other reads only then. The two wait for each
/// other without a lock and with relaxed atomics, which give no happens-before order. If nothing in
/// the code under test orders the change and the read, Thread Sanitizer reports them; if something
/// does, it's silent.
///
/// Both waits are short sleeps with a bound. Use `timersInPlay` if a test waits for a thread that
/// takes part. After a second or so each thread continues by itself, and a thread of
/// ``looker(_:_:)`` after some more. So the threads may fail to meet if the code under test holds a
/// lock or the machine is very busy: check ``didMeet`` before you expect what follows from the
/// order of the two.
///
/// The change must wake no third thread that runs before the read: it and the reading thread take
/// locks inside Swift's runtime, and these give the change and the read an order. For the same
/// reason make both calls once in advance if they do much. That matters for generic code, which
/// asks the runtime for its types.
///
/// Thread Sanitizer keeps the last four accesses to each eight bytes of memory. Small fields that
/// lie side by side can so hide a race, in every run alike: let a test meet in more than one order.
public final class RelaxedRendezvous: Sendable, OpaqueMirror {
  private static let tries = 20_000
  /// No thread waits for a reading thread before the change is made, so that one can wait longer.
  private static let lookersTries = 3 * tries

  private let isThere = Atomic(false)
  private let hasChanged = Atomic(false)
  private let hasLooked = Atomic(false)
  private let wasInTime = Atomic(false)
  private let wasWaitedFor = Atomic(false)

  /// Creates a rendezvous for one change and one read.
  public init() {}

  /// Signals that the change is made, and waits until the other thread has read.
  public func changed() {
    hasChanged.store(true, ordering: .relaxed)
    Self.wait(tries: Self.tries) { hasLooked.load(ordering: .relaxed) }
    wasWaitedFor.store(hasLooked.load(ordering: .relaxed), ordering: .relaxed)
  }

  /// Waits until the change is made, then reads.
  @discardableResult
  public func look<Seen>(_ body: () -> Seen) -> Seen { look(tries: Self.tries, body) }

  private func look<Seen>(tries: Int, _ body: () -> Seen) -> Seen {
    // It waits once before it signals, so that the runtime's work at a first call is done by then.
    Self.wait(tries: 1) { hasChanged.load(ordering: .relaxed) }
    isThere.store(true, ordering: .relaxed)
    Self.wait(tries: tries) { hasChanged.load(ordering: .relaxed) }
    wasInTime.store(hasChanged.load(ordering: .relaxed), ordering: .relaxed)
    defer { hasLooked.store(true, ordering: .relaxed) }
    return body()
  }

  /// Whether the read came after the change, as it should, and the changing thread waited for it.
  ///
  /// Check this when both threads have ended.
  public var didMeet: Bool {
    wasInTime.load(ordering: .relaxed) && wasWaitedFor.load(ordering: .relaxed)
  }

  /// Starts a thread that reads when the change is made, and returns when that thread is running.
  ///
  /// A thread that starts later takes locks in Foundation and in Swift's runtime. They could order
  /// it after the change, and hide a race.
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
  /// Makes two calls on two threads, one after the other, without a happens-before relation between
  /// them.
  ///
  /// ```swift
  /// try RelaxedRendezvous.meet("put and take", { buffer.put(1) }, { _ = buffer.take() })
  /// ```
  ///
  /// So a data race between the two is seen every time. Don't use it on a thread that belongs to
  /// the code under test: that thread waits here, and its waiting may order the calls.
  ///
  /// Blocks the calling thread until both calls have returned, with a timeout.
  ///
  /// - Parameters:
  ///   - name: What the threads do, for messages.
  ///   - first: The call that is made first.
  ///   - second: The call that is made after it, on another thread.
  ///   - sourceLocation: Where an issue is recorded.
  /// - Throws: If a call never returns, the failure of a requirement, which is also recorded as an
  ///   issue.
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
