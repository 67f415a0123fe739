import Foundation

/// A gate that threads wait at until the test opens it, once and for all.
///
/// A test parks a thread inside the code under test by waiting at a gate in a closure that this code
/// calls. `wait` blocks; `open` doesn't. In a suite with the trait `.quiescence` every gate is opened when its test ends, so that no thread
/// outlives the test that parked it.
public final class Gate: Sendable, OpaqueMirror {
  /// What the gate holds back, for pictures and messages.
  public let name: String

  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var opened = false
  private nonisolated(unsafe) var waiters = 0
  private let condition = NSCondition()

  /// Creates a closed gate; it opens by itself when the running test ends.
  public init(_ name: String = "gate") {
    self.name = name
    OpenAtEnd.add(self)
  }

  /// Lets everybody through, now and later.
  public func open() {
    condition.withLock {
      opened = true
      condition.broadcast()
    }
  }

  /// Blocks the calling thread until the gate is open, without a bound.
  ///
  /// Not for asynchronous code, where it would hold a thread of Swift's pool.
  public func wait() {
    condition.withLock {
      waiters += 1
      while !opened { condition.wait() }
      waiters -= 1
    }
  }

  /// How many threads wait at the gate now.
  public var waiting: Int { condition.withLock { waiters } }

  /// Whether the gate is open.
  public var isOpen: Bool { condition.withLock { opened } }
}

/// The gates to open when the running test ends.
enum OpenAtEnd {
  private static let gates = LockedValue<[Gate]>([])

  static func add(_ gate: Gate) { gates.withLock { $0.append(gate) } }

  static func openAll() {
    let all = gates.withLock { gates in
      defer { gates.removeAll() }
      return gates
    }
    for gate in all { gate.open() }
  }
}
