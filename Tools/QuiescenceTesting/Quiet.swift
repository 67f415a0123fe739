import Dispatch
import Foundation
import Synchronization
import Testing

/// Running until quiet: proof that something does *not* happen.
///
/// The process is quiet when every thread but the caller's sleeps in the kernel and nothing waits
/// for a thread of Dispatch's pools. Then everything that could happen has happened, and the rest
/// is blocked. That doesn't depend on load: a thread that is ready to run but has no core isn't
/// asleep.
///
/// Tests must respect these limits. A pending timer (`asyncAfter`, `sleep`) and a reply from
/// another process look like quiet. So do, on Apple's platforms, Swift tasks that wait for a thread
/// because all threads of the cooperative pool are blocked. A spinning thread is never quiet; the
/// wait for it has a timeout.
public enum Quiet {
  /// The result of a wait for quiet.
  public enum Outcome: Sendable {
    /// No thread runs, and none will without the caller.
    case quiet
    /// A thread was still running when the timeout expired.
    case busy
    /// The system doesn't show its threads; a fixed time has passed instead.
    case unobservable
  }

  /// The time that replaces quiet if threads can't be observed, in seconds.
  static let fallbackWindow = 0.25

  /// Whether quiet can be observed here: whether a sample tells a sleeping thread from a spinning
  /// one.
  ///
  /// The first call in a process tests that with two threads, and blocks the calling thread
  /// meanwhile, usually for a few milliseconds.
  public static func isObservable() -> Bool { passesSelfTest }

  private static let passesSelfTest = SamplingSelfTest.passes()

  /// Waits until the process is quiet, `timeout` is used up, or `condition` holds.
  static func wait(
    _ timeout: TimeoutMeter = TimeoutMeter(), or condition: () -> Bool = { false }
  ) -> Outcome {
    guard isObservable() else {
      Thread.sleep(forTimeInterval: fallbackWindow)
      return .unobservable
    }
    RandomDelays.ofThisProcess.renew()
    // Two equal samples with the probe between them: all threads slept when the probe was sent, and
    // since then only the probe has run.
    var rounds = 0
    while let before = allAsleep(timeout, or: condition) {
      let probe = PoolProbe()
      guard let after = allAsleep(timeout, or: condition) else { return .busy }
      guard probe.hasRun else {
        // All threads sleep, and the probe still waits: blocked work fills a pool. Dispatch adds a
        // thread to the pool after a while, and what already waits there starts before the probe
        // does.
        while !probe.hasRun {
          guard !timeout.isUsedUp, !condition() else { return .busy }
          usleep(500)
        }
        continue
      }
      let runners = probe.runners
      rounds = before.ignoring(runners) == after.ignoring(runners) ? rounds + 1 : 0
      if rounds == ThreadSnapshot.roundsUntilQuiet {
        RunObservers.current.value?.waitEnded()
        RandomDelays.ofThisProcess.delayRandomly()
        return .quiet
      }
    }
    return .busy
  }

  /// Briefly waits for running work to finish; on a busy machine as long as it needs.
  package static func settle() { _ = wait(TimeoutMeter(seconds: 0.2)) }

  /// Waits for a sample in which every other thread sleeps.
  private static func allAsleep(
    _ timeout: TimeoutMeter, or condition: () -> Bool
  ) -> ThreadSnapshot? {
    let delays = RandomDelays.ofThisProcess
    while true {
      // A thread that is delayed at random sleeps, but isn't blocked.
      if !delays.hasDelayedThreads, let look = ThreadSnapshot.take(), look.allAsleep,
        !delays.hasDelayedThreads
      {
        return look
      }
      guard !timeout.isUsedUp, !condition() else { return nil }
      usleep(50)
    }
  }
}

/// Runs until the process is quiet: everything that could happen has happened.
///
/// Blocks the calling thread until then, at most for ``TestTimeout``. If a thread is still running
/// when the timeout expires (an endless loop, or work without end), that is recorded as an issue.
/// Time in which a thread only waits for a core doesn't count.
///
/// Anything that needs the calling thread can't happen meanwhile. So it's an issue to call this on
/// the main thread, where main-actor code would wait for it. In an asynchronous test, start what is
/// under test with `Task { … }`: what `async let` starts may need the test's own thread.
///
/// - Returns: Whether the process is quiet. Also true if the system doesn't show its threads
///   (``Quiet/isObservable()``): then a quarter of a second has passed, and nothing is proven.
@discardableResult
public func runUntilQuiet(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
  guard !MainQueue.isCurrent else {
    Issue.record(
      """
      Running until quiet on the main thread proves nothing: code that needs that thread can't run \
      meanwhile. Leave @MainActor off the test, and await what must run there.
      """, sourceLocation: sourceLocation)
    return false
  }
  return reportUnlessQuiet(Quiet.wait(), sourceLocation: sourceLocation)
}

/// The main actor's queue; on Linux it may move between threads.
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
    \(HungMark.prefix)something was still running after \(TestTimeout.seconds) s of work. Look for a loop \
    that never ends, or one that spins while it waits.
    """,
    sourceLocation: sourceLocation)
  return false
}

/// Marks an issue as a hang rather than a wrong result; the runner reads it.
enum HungMark {
  static let prefix = "Hung: "
}

/// A block on every global queue, to find out whether the pools still start work.
///
/// Concurrent queues and operation queues use the same pools, first in, first out. When a probe has
/// run, everything that waited there before it has started. Serial queues use the overcommit pools,
/// which probes don't reach; these start another thread while theirs are blocked.
///
/// Source: `_dispatch_lane_create_with_target` in libdispatch's queue.c.
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

  /// The threads that ran the blocks; their time slices have nothing to do with the code under
  /// test.
  var runners: [Int32] { threads.withLock { $0 } }
}

/// Tests whether a sample on this system tells a sleeping thread from a working one.
private enum SamplingSelfTest {
  static func passes() -> Bool {
    let enough = clockSeconds(CLOCK_PROCESS_CPUTIME_ID) + 2
    let sleeper = ProbeThread { $0.wait() }
    let worker = ProbeThread { while !$0.isOver {} }
    defer {
      sleeper.end.call()
      worker.end.call()
    }
    // The first try nearly always succeeds. On a busy machine the sleeper may take long to fall
    // asleep, so it's tried until the worker has had enough processor time.
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

  /// What ends a thread.
  ///
  /// It isn't a gate, since the end of any test opens gates.
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
