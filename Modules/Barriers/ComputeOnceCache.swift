import Dispatch
import Foundation

/// Values by key, each computed once, however many threads ask for it at the same moment.
///
/// - Whoever asks first for a key computes its value; it's kept, and never computed again.
/// - Whoever asks for the same key meanwhile waits for that, and gets the same value.
/// - Different keys have nothing to do with each other: they are computed side by side, and what's
///   there is had at once, whatever is being computed beside it.
/// - What a computation throws goes to the caller whose attempt it was, and isn't kept. Of those who
///   waited meanwhile, one makes the next attempt, with its own closure; the others go on waiting.
/// - A computation may ask for the value of another key.
///
/// ```swift
/// let thumbnails = ComputeOnceCache<URL, Image>()
/// let image = try thumbnails.value(for: url) { try render(url) }  // renders, or waits, or has it
/// ```
///
/// Safe to use from every thread. No lock is held while a value is computed. The cache forgets nothing:
/// it is for as many keys as fit into memory.
///
/// - Warning: A computation that asks for its own key waits for itself, which is a deadlock; so do two
///   that ask for each other's.
///
/// Source: Goetz et al., *Java Concurrency in Practice*, 2006, on building a result cache; `Lazily`,
/// in GCDBasics, for a single value.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private enum Entry {
    /// Somebody is computing; the group is left when that has come to its end.
    case computing(DispatchGroup)
    case computed(Value)
  }

  /// What somebody who asks has to do.
  private enum Turn {
    case take(Value)
    case wait(DispatchGroup)
    case compute(DispatchGroup)
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var entries: [Key: Entry] = [:]
  private let lock = NSLock()

  /// Creates an empty cache.
  public init() {}

  /// The value of `key`, which is computed if it isn't there.
  ///
  /// Blocks while somebody else computes the value of this key.
  ///
  /// - Parameters:
  ///   - key: What the value belongs to.
  ///   - compute: Computes the value. Called on the calling thread, only where this caller is the
  ///     one to compute, and not kept.
  /// - Returns: The value, the same for all who ask for this key.
  /// - Throws: What `compute` has thrown.
  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    while true {
      switch turn(for: key) {
      case .take(let value): return value
      // The attempt may have failed, and somebody may have begun another: look again.
      case .wait(let attempt): attempt.wait()
      case .compute(let attempt):
        var entry: Entry?
        defer { end(attempt, for: key, with: entry) }
        let value = try compute()
        entry = .computed(value)
        return value
      }
    }
  }

  /// Looks who is to compute, and takes the turn where nobody does yet; in one step.
  private func turn(for key: Key) -> Turn {
    lock.withLock {
      switch entries[key] {
      case .computed(let value): return .take(value)
      case .computing(let attempt): return .wait(attempt)
      case nil:
        let attempt = DispatchGroup()
        attempt.enter()
        entries[key] = .computing(attempt)
        return .compute(attempt)
      }
    }
  }

  /// Keeps what an attempt came to, nil for nothing, and wakes all who wait for it.
  private func end(_ attempt: DispatchGroup, for key: Key, with entry: Entry?) {
    lock.withLock { entries[key] = entry }
    attempt.leave()
  }
}
