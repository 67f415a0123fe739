/// A value that is set once and can be read at any time.
final class Promise<Value: Sendable>: Sendable, OpaqueMirror {
  private let stored = LockedValue<Value?>(nil)

  var value: Value? { stored.withLock { $0 } }

  func fulfil(_ value: Value) {
    stored.withLock { if $0 == nil { $0 = value } }
  }
}
