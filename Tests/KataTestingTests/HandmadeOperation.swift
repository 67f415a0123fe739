import Foundation
import KataTesting

/// An operation that announces what a test asks for, right or wrong.
// Safe: what changes is guarded by `lock`.
final class HandmadeOperation: Operation, @unchecked Sendable {
  /// How an operation names what it announces.
  enum Spelling: Sendable {
    case keys, shortKeys, keyPaths
  }

  private let spelling: Spelling
  private let missing: KVOProbe.Announcement?
  private let changesFirst: Bool
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var executing = false
  private nonisolated(unsafe) var finished = false
  private let lock = NSLock()

  init(
    spelling: Spelling = .keys, silentAbout missing: KVOProbe.Announcement? = nil,
    changesFirst: Bool = false
  ) {
    self.spelling = spelling
    self.missing = missing
    self.changesFirst = changesFirst
  }

  override var isExecuting: Bool { lock.withLock { executing } }
  override var isFinished: Bool { lock.withLock { finished } }
  override func start() { begin() }

  func begin() {
    if changesFirst { set(executing: true) }
    announce(.will(.isExecuting))
    set(executing: true)
    announce(.did(.isExecuting))
  }

  func end() {
    announce(.will(.isExecuting))
    announce(.will(.isFinished))
    set(executing: false)
    makeFinished()
    announce(.did(.isExecuting))
    announce(.did(.isFinished))
  }

  func makeFinished() { lock.withLock { finished = true } }

  private func set(executing: Bool) { lock.withLock { self.executing = executing } }

  private func announce(_ announcement: KVOProbe.Announcement) {
    guard announcement != missing else { return }
    switch (announcement, spelling) {
    case (.will(let key), .keys): willChangeValue(forKey: key.rawValue)
    case (.did(let key), .keys): didChangeValue(forKey: key.rawValue)
    case (.will(let key), .shortKeys): willChangeValue(forKey: short(key))
    case (.did(let key), .shortKeys): didChangeValue(forKey: short(key))
    case (.will(let key), .keyPaths): (self as Operation).willChangeValue(for: path(key))
    case (.did(let key), .keyPaths): (self as Operation).didChangeValue(for: path(key))
    }
  }

  private func short(_ key: KVOProbe.Key) -> String {
    switch key {
    case .isReady: "ready"
    case .isExecuting: "executing"
    case .isFinished: "finished"
    }
  }

  private func path(_ key: KVOProbe.Key) -> KeyPath<Operation, Bool> {
    switch key {
    case .isReady: \.isReady
    case .isExecuting: \.isExecuting
    case .isFinished: \.isFinished
    }
  }
}
