import Foundation

/// A gate at which threads wait until the test opens it; it never closes again.
///
/// A test blocks a thread inside the code under test by waiting at a gate in a closure that this
/// code calls. `wait` blocks; `open` doesn't. In a suite with the trait `.quiescence`, every gate
/// is opened when its test ends, so that no blocked thread outlives its test.
public final class Gate: Sendable, OpaqueMirror {
  /// What the gate holds back, for pictures and messages.
  public let name: String

  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var opened = false
  private nonisolated(unsafe) var waiters = 0
  private let condition = NSCondition()

  /// Creates a closed gate.
  ///
  /// It opens by itself when the running test ends.
  public init(_ name: String = "gate") {
    self.name = name
    OpenAtEnd.add(self)
  }

  /// Opens the gate: waiting threads continue, and later ones don't wait.
  public func open() {
    condition.withLock {
      opened = true
      condition.broadcast()
    }
  }

  /// Blocks the calling thread until the gate is open, without a timeout.
  ///
  /// Don't call this in asynchronous code: it would block a thread of Swift's cooperative pool.
  public func wait() {
    condition.withLock {
      waiters += 1
      while !opened { condition.wait() }
      waiters -= 1
    }
  }

  /// The number of threads that are waiting at the gate.
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
