import Foundation
import KataTesting
import Synchronization
import Testing

extension SanitizerTests {
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
      changeAndLook(Unguarded(SharedCounter()), SharedCounter())
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
      share(Guarded(SharedCounter()), SharedCounter())
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
}

// MARK: - Fixtures

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
