import Foundation

/// A value behind a lock.
final class Locked<Value>: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var value: Value
  private let lock = NSLock()

  init(_ value: sending Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
