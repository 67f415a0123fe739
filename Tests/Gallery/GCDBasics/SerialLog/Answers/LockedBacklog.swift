import Foundation

/// A lock around the entries and a backlog, which is formatted by one thread at a time.
public final class SerialLog: Sendable {
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var lines: [String] = []
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var backlog: [String] = []
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var appended = 0
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var isWorking = false
  private let format: @Sendable (String) -> String

  public init(format: @escaping @Sendable (String) -> String = { $0 }) {
    self.format = format
  }

  public func append(_ message: String) {
    let mustStart = condition.withLock {
      backlog.append(message)
      appended += 1
      defer { isWorking = true }
      return !isWorking
    }
    if mustStart { Thread.detachNewThread { self.workOff() } }
  }

  public var entries: [String] {
    condition.withLock {
      let mine = appended
      while lines.count < mine { condition.wait() }
      return lines
    }
  }

  private func workOff() {
    while let message = nextMessage() {
      let line = format(message)
      condition.withLock {
        lines.append(line)
        condition.broadcast()
      }
    }
  }

  private func nextMessage() -> String? {
    condition.withLock {
      guard !backlog.isEmpty else {
        isWorking = false
        return nil
      }
      return backlog.removeFirst()
    }
  }
}
