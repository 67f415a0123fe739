import Foundation

/// A value that is computed once, when it is first asked for, by whichever thread that is.
///
/// `static let` gives a singleton just that, and nothing else has it: `lazy var` may be computed twice
/// when two threads ask at once, and neither can fail and be tried again.
///
/// ```swift
/// let index = Lazily { try Index(contentsOf: file) }  // reads nothing yet
/// let hits = try index.value.search("dawn")  // reads it, once
/// ```
///
/// - Nothing is computed before somebody asks.
/// - Whoever asks while another thread computes waits for that, and gets the same value.
/// - Once the computation has returned it is never called again.
/// - What it throws goes to the caller whose attempt it was, and isn't kept: the next one who asks
///   tries again. So does one of those who waited meanwhile, and the others go on waiting.
/// - Two values don't wait for each other.
///
/// Safe to use from every thread. No lock is held while the value is computed.
///
/// - Warning: A computation that asks for the very value which it computes waits for itself, which is a
///   deadlock; so do two that ask for each other's.
///
/// Source: `swift_once` in the Swift runtime, and `std::call_once` in C++ for trying again.
public final class Lazily<Value: Sendable>: Sendable {
  private enum State {
    case empty
    /// A thread is computing; the others wait.
    case computing
    case computed(Value)
  }

  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var state = State.empty
  private let condition = NSCondition()
  private let compute: @Sendable () throws -> Value

  /// Keeps `compute` for later.
  ///
  /// - Parameter compute: Computes the value; called by ``value``, one call at a time, and never again
  ///   once it has returned.
  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  /// The value, the same for all who ask.
  ///
  /// The first to ask computes it, on its own thread; whoever asks meanwhile is blocked until that is
  /// over. From then on it returns at once.
  ///
  /// - Throws: What the computation has thrown, where it was this caller's attempt.
  public var value: Value {
    get throws {
      if let value = valueUnlessMyTurn() { return value }
      do {
        let value = try compute()
        settle(.computed(value))
        return value
      } catch {
        settle(.empty)
        throw error
      }
    }
  }

  /// Waits for the value; nil where there is none yet and nobody else computes it.
  ///
  /// The caller has to, then.
  private func valueUnlessMyTurn() -> Value? {
    condition.withLock {
      while true {
        switch state {
        case .computed(let value): return value
        case .computing: condition.wait()
        case .empty:
          state = .computing
          return nil
        }
      }
    }
  }

  /// Says what came of the attempt, to all who wait.
  private func settle(_ state: State) {
    condition.withLock {
      self.state = state
      condition.broadcast()
    }
  }
}
