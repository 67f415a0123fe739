import Foundation
import KataSanitizer
import Synchronization
import Testing

@testable import QuiescenceTesting

/// What Thread Sanitizer hears of, in programs that race and in programs that don't.
///
/// Each is a process of its own; the sanitizer ends it with a code of its own where it has spoken.
@Suite(.serialized, .enabled(if: Sanitizer.isTold)) struct SanitizerTests {
  private static let hasSpoken = ExitTest.Condition.exitCode(66)

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

  // MARK: - Generic types

  @Test func `an unguarded number in a generic class is a race`() async {
    await #expect(processExitsWith: Self.hasSpoken) { changeAndLook(Unguarded(1), 2) }
  }

  @Test func `an unguarded string in a generic class is a race`() async {
    await #expect(processExitsWith: Self.hasSpoken) {
      changeAndLook(Unguarded(String(repeating: "a", count: 100)), "b")
    }
  }

  @Test func `an unguarded object in a generic class is a race`() async {
    await #expect(processExitsWith: Self.hasSpoken) {
      changeAndLook(Unguarded(Counter()), Counter())
    }
  }

  @Test func `an unguarded property that a generic class has inherited is a race`() async {
    await #expect(processExitsWith: Self.hasSpoken) { changeAndLook(Derived(1), 2) }
  }

  @Test func `an unguarded variable that generic closures have captured is a race`() async {
    await #expect(processExitsWith: Self.hasSpoken) { changeAndLook(InClosures(1), 2) }
  }

  @Test func `a guarded value in a generic class is no race`() async {
    await #expect(processExitsWith: .success) {
      share(Guarded(1), 2)
      share(Guarded(String(repeating: "a", count: 100)), "b")
      share(Guarded(Counter()), Counter())
      share(Guarded(()), ())
    }
  }

  @Test func `a value behind a barrier in a generic class is no race`() async {
    await #expect(processExitsWith: .success) { share(BehindBarrier(1), 2) }
  }

  @Test func `a value that a generic class publishes is no race`() async {
    await #expect(processExitsWith: .success) { changeAndLook(Published(1), 2) }
  }

  /// Many threads pass such a lock's address to the system at once, each by an access that changes it.
  @Test func `a lock that is a property of a generic class is no race`() async {
    await #expect(processExitsWith: .success) { share(OwnLock(1), 2) }
  }

  /// It has the address of whatever comes next.
  @Test func `a property that takes no room is no race`() async {
    await #expect(processExitsWith: .success) {
      let room = (0..<100).map { _ in Unguarded(()) }
      threads(4) {
        for empty in room {
          empty.value = ()
          _ = Unguarded(())
        }
      }
      changeAndLook(Beside((), 1), 2)
    }
  }

  // MARK: - The sanitizer's own thread

  @Test func `the sanitizer's own thread is known and not looked at`() throws {
    let number = try #require(Sanitizer.ownThread)
    #expect(number != getpid())
    #expect(try #require(ThreadSnapshot.take())[number] == nil)
    #expect(access("/proc/self/task/\(number)", F_OK) == 0)
  }

  // That thread wakes ten times a second, so looks that are half a second apart are never equal
  // unless it is left out. Another suite's thread may run in between; then there's another try.
  @Test(.quiescence) func `the sanitizer's own thread doesn't keep a process from being quiet`()
    throws
  {
    let own = try #require(Sanitizer.ownThread)
    let isQuiet = try (1...100).contains { _ in
      #expect(Quiet.wait() == .quiet)
      let before = try #require(ThreadSnapshot.take())
      let wakings = slices(of: own)
      while slices(of: own) < wakings + 5 { usleep(20_000) }
      return try #require(ThreadSnapshot.take()) == before
    }
    #expect(isQuiet)
  }

  private func slices(of thread: Int32) -> UInt64 {
    let path = "/proc/self/task/\(thread)/schedstat"
    let figures = try? String(contentsOfFile: path, encoding: .utf8).split { $0.isWhitespace }
    return figures?.last.flatMap { UInt64($0) } ?? 0
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
private func threads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
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

/// Something with a value that can be changed and looked at.
private protocol Store<Value>: Sendable {
  associatedtype Value: Sendable
  var value: Value { get nonmutating set }
}

/// One thread changes the value, then another one looks; nothing but the store orders the two.
private func changeAndLook<Kind: Store>(_ store: Kind, _ value: Kind.Value) {
  let meeting = RelaxedRendezvous()
  let looker = meeting.looker("looker") { _ = store.value }
  store.value = value
  meeting.changed()
  try? looker.result(timersInPlay: true)
}

/// Four threads change the value and look at it.
private func share<Kind: Store>(_ store: Kind, _ value: Kind.Value) {
  threads(4) {
    for turn in 0..<100 {
      if turn % 2 == 0 { store.value = value } else { _ = store.value }
    }
  }
}

private class Unguarded<Value: Sendable>: Store, @unchecked Sendable {
  // Safe: it isn't; that's the test.
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

private final class Derived: Unguarded<Int>, @unchecked Sendable {  // Safe: it isn't.
  var another = 0
}

/// Two properties, of which the first may take no room.
private final class Beside<First: Sendable>: Store, @unchecked Sendable {
  // Safe: `first` takes no room, and `value` is changed under the lock.
  private var first: First
  private var stored: Int
  private let lock = NSLock()

  init(_ first: First, _ value: Int) {
    self.first = first
    stored = value
  }

  var value: Int {
    get {
      touchFirst()
      return lock.withLock { stored }
    }
    set {
      touchFirst()
      lock.withLock { stored = newValue }
    }
  }

  private func touchFirst() {
    let same = first
    first = same
  }
}

/// A variable that two closures share.
private final class InClosures<Value: Sendable>: Store {
  private let look: @Sendable () -> Value
  private let change: @Sendable (Value) -> Void

  init(_ value: Value) {
    nonisolated(unsafe) var shared = value  // Safe: it isn't; that's the test.
    look = { shared }
    change = { shared = $0 }
  }

  var value: Value {
    get { look() }
    set { change(newValue) }
  }
}

private final class Guarded<Value: Sendable>: Store {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var stored: Value
  private let lock = NSLock()

  init(_ value: Value) {
    stored = value
  }

  var value: Value {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}

private final class BehindBarrier<Value: Sendable>: Store {
  // Safe: touched on `queue` only, and changed there only behind a barrier.
  private nonisolated(unsafe) var stored: Value
  private let queue = DispatchQueue(label: "katas.tests.behind-barrier", attributes: .concurrent)

  init(_ value: Value) {
    stored = value
  }

  var value: Value {
    get { queue.sync { stored } }
    set { queue.async(flags: .barrier) { self.stored = newValue } }
  }
}

/// A value that is set once, and an atomic that says so.
private final class Published<Value: Sendable>: Store {
  private let first: Value
  // Safe: set before `isSet` is, and looked at only after that.
  private nonisolated(unsafe) var second: Value?
  private let isSet = Atomic(false)

  init(_ value: Value) {
    first = value
  }

  var value: Value {
    get { isSet.load(ordering: .acquiring) ? second ?? first : first }
    set {
      second = newValue
      isSet.store(true, ordering: .releasing)
    }
  }
}

private final class OwnLock<Value: Sendable>: Store, @unchecked Sendable {
  // Safe: guarded by `lock`, which isn't moved while the object is there.
  private var stored: Value
  private var lock = pthread_mutex_t()

  init(_ value: Value) {
    stored = value
    pthread_mutex_init(&lock, nil)
  }

  var value: Value {
    get {
      pthread_mutex_lock(&lock)
      defer { pthread_mutex_unlock(&lock) }
      return stored
    }
    set {
      pthread_mutex_lock(&lock)
      stored = newValue
      pthread_mutex_unlock(&lock)
    }
  }
}
