import Foundation
import KataTesting
import Testing

extension KVOProbe.Notice {
  /// The value of `key` inside the notice.
  func value(of key: KVOProbe.Key) -> Bool? {
    switch key {
    case .isExecuting: isExecuting
    case .isFinished: isFinished
    case .isReady: nil
    }
  }
}

/// The values of an operation's properties at one moment.
struct Reading: Equatable, Sendable, CustomStringConvertible {
  let isExecuting: Bool
  let isFinished: Bool

  var description: String { "isExecuting=\(isExecuting) isFinished=\(isFinished)" }
}

extension Reading {
  init(_ operation: Operation) {
    self.init(isExecuting: operation.isExecuting, isFinished: operation.isFinished)
  }
}

/// Calls `body` on a thread of its own and waits until it has returned, as an observer may do
/// inside a notice.
func onAnotherThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
  let hasReturned = Gate("\(name) has returned")
  _ = TestThread(name) {
    body()
    hasReturned.open()
  }
  hasReturned.wait()
}

/// Makes `call`, and lets another thread read inside the first of its notices that `isIt` accepts.
///
/// Only a lock in the answer orders the two threads.
func meetInsideNotice(
  of operation: Operation,
  where isIt: @escaping @Sendable (KVOProbe.Announcement) -> Bool = { $0.isDid },
  _ name: String, _ call: @escaping @Sendable () -> Void,
  _ lookName: String, _ look: @escaping @Sendable () -> Void,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let meeting = RelaxedRendezvous()
  let probe = KVOProbe(operation) { if isIt($0) { meeting.changed() } }
  let looker = meeting.looker(lookName, look)
  try mustReturn(name, timersInPlay: true, sourceLocation: sourceLocation) {
    call()
    meeting.changed()
  }
  try looker.result(timersInPlay: true, sourceLocation: sourceLocation)
  withExtendedLifetime(probe) {}
}

extension KVOProbe.Announcement {
  /// Whether it's a *did*.
  var isDid: Bool { if case .did = self { true } else { false } }
  /// Whether it's a *will*.
  var isWill: Bool { !isDid }
}
