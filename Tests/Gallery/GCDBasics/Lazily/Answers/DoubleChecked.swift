import Foundation
import Synchronization

/// An atomic flag in front of the lock: once the value is there, no thread takes the lock.
public final class Lazily<Value: Sendable>: Sendable {
  // Safe: written under `lock`, once, before the flag is set; read after the flag was seen set.
  private nonisolated(unsafe) var stored: Value?
  private let isComputed = Atomic(false)
  private let lock = NSLock()
  private let compute: @Sendable () throws -> Value

  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  public var value: Value {
    get throws {
      if isComputed.load(ordering: .acquiring), let stored { return stored }
      return try lock.withLock {
        if let stored { return stored }
        let value = try compute()
        stored = value
        isComputed.store(true, ordering: .releasing)
        return value
      }
    }
  }
}
