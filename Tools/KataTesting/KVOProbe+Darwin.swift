#if canImport(Darwin)
  import Foundation

  extension KVOProbe {
    /// Whether no observer receives a *did* without its *will* on the same thread.
    static var dropsLoneDid: Bool { true }

    /// Does nothing: here it's no rehearsal.
    static func prepare() {}
  }

  /// Receives the notifications of one operation, as a key-value observer.
  final class KVOListener: NSObject, Sendable {
    typealias Handler = @Sendable (KVOProbe.Announcement, Operation) -> Void

    private static let keys: [KVOProbe.Key] = [.isReady, .isExecuting, .isFinished]

    private let operation: Operation
    private let handler: Handler

    init(_ operation: Operation, handler: @escaping Handler) {
      self.operation = operation
      self.handler = handler
      super.init()
      for key in Self.keys {
        operation.addObserver(
          self, forKeyPath: key.rawValue, options: [.prior, .new], context: nil)
      }
    }

    func stop() {
      for key in Self.keys { operation.removeObserver(self, forKeyPath: key.rawValue) }
      // Another thread may be about to send a notification to this object, and KVO doesn't retain
      // observers. The object is small, so it's leaked.
      _ = Unmanaged.passRetained(self)
    }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      guard let key = keyPath.flatMap(KVOProbe.Key.init(name:)) else { return }
      let isPrior = change?[.notificationIsPriorKey] as? Bool ?? false
      handler(isPrior ? .will(key) : .did(key), operation)
    }
  }
#endif
