import Dispatch
import Foundation

/// A caller finds that its key is being computed, and is noted as waiting in a second step.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Note: Sendable {
    let isReady = DispatchSemaphore(value: 0)
    // Safe: written before the semaphore is signalled, and read after the wait.
    nonisolated(unsafe) var value: Value?
  }

  private enum Entry {
    case computing([Note])
    case computed(Value)
  }

  private enum Turn {
    case take(Value)
    case wait
    case compute
  }

  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var entries: [Key: Entry] = [:]

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    switch turn(for: key) {
    case .take(let value): return value
    case .wait:
      let note = join(key)
      note.isReady.wait()
      if let value = note.value { return value }
    case .compute: break
    }
    var value: Value?
    defer { end(key, with: value) }
    let computed = try compute()
    value = computed
    return computed
  }

  private func turn(for key: Key) -> Turn {
    lock.lock()
    defer { lock.unlock() }
    switch entries[key] {
    case .computed(let value): return .take(value)
    case .computing: return .wait
    case nil:
      entries[key] = .computing([])
      return .compute
    }
  }

  private func join(_ key: Key) -> Note {
    let note = Note()
    lock.lock()
    defer { lock.unlock() }
    if case .computing(let notes) = entries[key] { entries[key] = .computing(notes + [note]) }
    return note
  }

  /// Gives the value to all waiting callers, or, if there is none, lets the first of them compute.
  private func end(_ key: Key, with value: Value?) {
    lock.lock()
    defer { lock.unlock() }
    guard case .computing(let notes) = entries[key] else { return }
    if let value {
      entries[key] = .computed(value)
      for note in notes {
        note.value = value
        note.isReady.signal()
      }
    } else if let first = notes.first {
      entries[key] = .computing(Array(notes.dropFirst()))
      first.isReady.signal()
    } else {
      entries[key] = nil
    }
  }
}
