import Foundation
import Synchronization
import Testing

@testable import KataTesting

/// What Thread Sanitizer hears of, in programs that race and in programs that don't.
///
/// Each is a process of its own; the sanitizer ends it with a code of its own where it has spoken.
@Suite(.serialized, .enabled(if: Sanitizer.isNotified)) struct SanitizerTests {
  static let hasSpoken = ExitTest.Condition.exitCode(66)

  // MARK: - Mutex

  @Test func `a mutex that many threads want is no race`() async {
    await #expect(processExitsWith: .success) {
      let count = Mutex(0)
      threads(4) { for _ in 0..<5_000 { count.withLock { $0 += 1 } } }
      threads(4) { for _ in 0..<5_000 { while count.withLockIfAvailable({ $0 += 1 }) == nil {} } }
      precondition(count.withLock { $0 } == 40_000)
    }
  }

  @Test func `what stands beside a mutex isn't guarded by it`() async {
    await #expect(processExitsWith: Self.hasSpoken) {
      let count = Mutex(0)
      nonisolated(unsafe) var unguarded = 0  // Safe: it isn't; that's the test.
      threads(4) {
        for _ in 0..<5_000 {
          count.withLock { $0 += 1 }
          unguarded += 1
        }
      }
    }
  }

  // MARK: - Barriers

  @Test func `a barrier in whatever form is no race`() async {
    await #expect(processExitsWith: .success) {
      let queue = DispatchQueue(label: "barriers", attributes: .concurrent)
      for submit in barriers {
        nonisolated(unsafe) var count = 0  // Safe: changed behind barriers, read on the queue.
        threads(4) {
          for _ in 0..<200 {
            submit(queue) { count += 1 }
            _ = queue.sync { count }
          }
        }
        // Those for later may come when the queue is already at work on this.
        while queue.sync(execute: { count }) < 800 { usleep(1_000) }
      }
    }
  }

  @Test func `a barrier in whatever form on a global queue is a race`() async {
    await #expect(processExitsWith: Self.hasSpoken) {
      changeThenLook { $0.async(flags: .barrier, execute: $1) }
    }
    await #expect(processExitsWith: Self.hasSpoken) { changeThenLook(barriers[0]) }
    await #expect(processExitsWith: Self.hasSpoken) { changeThenLook(barriers[2]) }
  }
}

// MARK: - Fixtures

/// The ways to have a barrier that the sanitizer doesn't know by the function that is called.
private let barriers: [@Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> Void] = [
  { $0.async(execute: DispatchWorkItem(flags: .barrier, block: $1)) },
  { $0.async(flags: [.barrier, .enforceQoS], execute: $1) },
  { $0.async(group: DispatchGroup(), flags: .barrier, execute: $1) },
  { $0.async(group: DispatchGroup(), execute: DispatchWorkItem(flags: .barrier, block: $1)) },
  { $0.async(qos: .utility, flags: .barrier, execute: $1) },
  { $0.sync(execute: DispatchWorkItem(flags: .barrier, block: $1)) },
  { $0.asyncAfter(deadline: .now(), flags: .barrier, execute: $1) },
]

/// Changes a number behind a barrier that is none, and later looks at it in two blocks at once, one of
/// which is on another thread.
private func changeThenLook(
  _ barrier: (DispatchQueue, @escaping @Sendable () -> Void) -> Void
) {
  nonisolated(unsafe) var unguarded = 0  // Safe: it isn't; that's the test.
  let (isChanged, lookers) = (Shared(), Shared())
  barrier(.global()) {
    unguarded += 1
    isChanged.count.add(1, ordering: .relaxed)
  }
  while isChanged.count.load(ordering: .relaxed) < 1 {}
  let done = DispatchGroup()
  for _ in 0..<2 {
    done.enter()
    barrier(.global()) {
      lookers.count.add(1, ordering: .relaxed)
      while lookers.count.load(ordering: .relaxed) < 2 {}
      precondition(unguarded == 1)
      done.leave()
    }
  }
  done.wait()
}

/// A number that threads wait for; nothing is ordered by it.
private final class Shared: Sendable {
  let count = Atomic(0)
}

/// Runs `body` on some threads at once and waits for them.
func threads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  let group = DispatchGroup()
  for _ in 0..<count {
    group.enter()
    Thread.detachNewThread {
      body()
      group.leave()
    }
  }
  group.wait()
}
