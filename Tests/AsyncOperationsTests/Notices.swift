import Foundation
import KataTesting

extension KVOProbe.Notice {
  /// What `key` was inside the notice.
  func value(of key: KVOProbe.Key) -> Bool? {
    switch key {
    case .isExecuting: isExecuting
    case .isFinished: isFinished
    case .isReady: nil
    }
  }
}

/// What an operation said of itself at one moment.
struct Reading: Equatable, Sendable {
  let isExecuting: Bool
  let isFinished: Bool
}

extension Reading {
  init(_ operation: Operation) {
    self.init(isExecuting: operation.isExecuting, isFinished: operation.isFinished)
  }
}

/// What an operation said of itself, moment by moment.
final class Readings: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var readings: [Reading] = []
  private let lock = NSLock()

  func read(_ operation: Operation) {
    let reading = Reading(operation)
    lock.withLock { readings.append(reading) }
  }

  var all: [Reading] { lock.withLock { readings } }
}

/// The notice that is being sent.
final class CurrentNotice: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var announcement: KVOProbe.Announcement?
  private let lock = NSLock()

  func begin(_ announcement: KVOProbe.Announcement) {
    lock.withLock { self.announcement = announcement }
  }

  func end() { lock.withLock { announcement = nil } }

  var name: String { lock.withLock { announcement?.description ?? "none" } }
}
