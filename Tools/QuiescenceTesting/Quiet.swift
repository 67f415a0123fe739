import Dispatch
import Foundation
import Synchronization
import Testing

/// Running until quiet: proof that something does *not* happen.
///
/// The process is quiet when every thread but the caller's sleeps in the kernel and nothing waits
/// for a thread of Dispatch's pools. Then whatever could happen has happened, and what hasn't is
/// blocked. That doesn't depend on load: a thread that could run but has no core yet isn't asleep.
///
/// Limits, which tests must respect: a pending timer (`asyncAfter`, `sleep`) and an answer from another
/// process look like quiet; so do, on Apple's platforms, Swift tasks that wait for a thread because each of
/// the cooperative pool's is blocked. A spinning thread is never quiet; the wait for it is bounded.
public enum Quiet {
  /// What a wait for quiet came to.
  public enum Outcome: Sendable {
    /// Nothing runs, and nothing will without the caller.
    case quiet
    /// Something still ran when patience ended.
    case busy
    /// The system doesn't show its threads; a fixed window has passed instead.
    case unobservable
  }

  /// The window that stands in for quiet where threads can't be observed, in seconds.
  static let fallbackWindow = 0.25

  /// Tells whether quiet can be observed here: whether a look tells a sleeping thread from a spinning one.
  ///
  /// The first call in a process tries it, on two threads of its own, and blocks the calling thread until then:
  /// mostly for a few milliseconds.
  public static func isObservable() -> Bool { passesSelfTest }

  private static let passesSelfTest = ThreadLookSelfTest.passes()

  /// Runs until the process is quiet, or all `patience` is used up, or `condition` holds.
  static func wait(
    _ patience: PatienceMeter = PatienceMeter(), or condition: () -> Bool = { false }
  ) -> Outcome {
    guard isObservable() else {
      Thread.sleep(forTimeInterval: fallbackWindow)
      return .unobservable
    }
    Noise.ofThisProcess.renew()
    // Two equal looks with the probe between them: all slept when the probe was sent, and since then
    // nothing has run but the probe.
    var rounds = 0
    while let before = allAsleep(patience, or: condition) {
      let probe = PoolProbe()
      guard let after = allAsleep(patience, or: condition) else { return .busy }
      guard probe.hasRun else {
        // Asleep, and the probe still waits: a pool is saturated by parked blocks. Dispatch adds a
        // thread to it after a while, and what waits there now starts before the probe does.
        while !probe.hasRun {
          guard !patience.isUsedUp, !condition() else { return .busy }
          usleep(500)
        }
        continue
      }
      let runners = probe.runners
      rounds = before.ignoring(runners) == after.ignoring(runners) ? rounds + 1 : 0
      if rounds == ThreadSnapshot.roundsUntilQuiet {
        RunObservers.current.value?.waitEnded()
        Noise.ofThisProcess.perhaps()
        return .quiet
      }
    }
    return .busy
  }

  /// Gives whoever is under way a moment to come to its end, which is as long as it needs on a busy
  /// machine.
  package static func settle() { _ = wait(PatienceMeter(seconds: 0.2)) }

  /// Waits for a look at which every other thread sleeps.
  private static func allAsleep(
    _ patience: PatienceMeter, or condition: () -> Bool
  ) -> ThreadSnapshot? {
    let noise = Noise.ofThisProcess
    while true {
      // A thread that noise has made late sleeps, and isn't blocked.
      if !noise.isHeard, let look = ThreadSnapshot.take(), look.allAsleep, !noise.isHeard {
        return look
      }
      guard !patience.isUsedUp, !condition() else { return nil }
      usleep(50)
    }
  }
}

/// Runs until the process is quiet: whatever could happen has happened.
///
/// Blocks the calling thread until then, at most for ``Patience``. Where a thread is still running
/// when that is used up (an endless loop, or work without end), that is recorded as an issue; a thread
/// that only waits for a core isn't blamed for it.
///
/// What can't happen before the calling thread goes on hasn't happened: so it's an issue to call this on the
/// main thread, where main-actor code would wait for it. In an asynchronous test, start what is under test
/// with `Task { … }`: what `async let` starts may need the test's own thread.
///
/// - Returns: Whether the process is quiet. Also true where the system doesn't show its threads
///   (``Quiet/isObservable()``): there a quarter of a second has passed, and nothing is proven.
@discardableResult
public func runUntilQuiet(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
  guard !MainQueue.isCurrent else {
    Issue.record(
      """
      Running until quiet on the main thread proves nothing: whatever needs that thread waits. Leave \
      @MainActor off the test, and await what must run there.
      """, sourceLocation: sourceLocation)
    return false
  }
  return reportUnlessQuiet(Quiet.wait(), sourceLocation: sourceLocation)
}

/// The queue of the main actor; on Linux it may move from thread to thread.
private enum MainQueue {
  private static let places = Places(["main": .main])

  static var isCurrent: Bool { Thread.isMainThread || places.current == "main" }
}

@discardableResult
func reportUnlessQuiet(
  _ outcome: Quiet.Outcome, sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
  guard outcome == .busy else { return true }
  Issue.record(
    """
    \(HungMark.prefix)something was still running after \(Patience.seconds) s of work. Look for a loop \
    that never ends, or one that spins while it waits.
    """,
    sourceLocation: sourceLocation)
  return false
}

/// Marks an issue as a hang rather than a wrong result; the runner reads it.
enum HungMark {
  static let prefix = "Hung: "
}

/// A block on every global queue, to see whether the pools still hand out threads.
///
/// Private queues and operation queues draw on the same pools, first in, first out: when a probe
/// has run, whatever waited there before it has been started.
private final class PoolProbe: Sendable {
  private static let classes: [DispatchQoS.QoSClass] = [
    .userInteractive, .userInitiated, .default, .utility, .background,
  ]

  private let threads = LockedValue<[Int32]>([])

  init() {
    for qos in Self.classes {
      DispatchQueue.global(qos: qos).async {
        self.threads.withLock { $0.append(ThreadSnapshot.currentThreadNumber()) }
      }
    }
  }

  /// Whether every pool has run its block.
  var hasRun: Bool { threads.withLock { $0.count == Self.classes.count } }

  /// The threads that ran the blocks; their time slices say nothing about the code under test.
  var runners: [Int32] { threads.withLock { $0 } }
}

/// Tries on this system whether a look tells a sleeping thread from a working one.
private enum ThreadLookSelfTest {
  static func passes() -> Bool {
    let enough = clockSeconds(CLOCK_PROCESS_CPUTIME_ID) + 2
    let sleeper = ProbeThread { $0.wait() }
    let worker = ProbeThread { while !$0.isOver {} }
    defer {
      sleeper.end.call()
      worker.end.call()
    }
    // The first try nearly always tells. On a busy machine the sleeper may need long to fall asleep;
    // so it's tried until the worker, for one, has had time enough.
    var tries = 0
    while tries < 2000 || clockSeconds(CLOCK_PROCESS_CPUTIME_ID) < enough {
      tries += 1
      guard let before = ThreadSnapshot.take(), let after = ThreadSnapshot.take() else {
        return false
      }
      if let sleepBefore = before[sleeper.number],
        let sleepAfter = after[sleeper.number],
        let work = after[worker.number],
        sleepBefore == sleepAfter, sleepAfter.isAsleep, !work.isAsleep
      {
        return true
      }
      usleep(500)
    }
    return false
  }

  /// What a thread is to go on until; not a gate, which the end of any test opens.
  private final class End: Sendable {
    private let over = Atomic(false)
    private let semaphore = DispatchSemaphore(value: 0)

    var isOver: Bool { over.load(ordering: .relaxed) }

    func wait() { semaphore.wait() }

    func call() {
      over.store(true, ordering: .relaxed)
      semaphore.signal()
    }
  }

  private final class ProbeThread: Sendable {
    let end = End()
    private let started = Promise<Int32>()

    init(_ body: @escaping @Sendable (End) -> Void) {
      let (end, started) = (end, started)
      Thread {
        started.fulfil(ThreadSnapshot.currentThreadNumber())
        body(end)
      }.start()
      while started.value == nil { usleep(50) }
    }

    var number: Int32 { started.value ?? 0 }
  }
}
