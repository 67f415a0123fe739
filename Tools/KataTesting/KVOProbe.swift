import Foundation
import QuiescenceTesting
import Testing

/// Records the key-value observing notifications of one operation, with its state at each.
///
/// A queue learns from these notifications that an operation has started and finished. An observer
/// relies on the old value inside *will* and the new one inside *did*. The probe records both kinds
/// in the order of sending, each with `isExecuting` and `isFinished` as the notifying thread reads
/// them inside the notification.
///
/// ```swift
/// let probe = KVOProbe(operation)
/// operation.start()
/// probe.notices  // will isExecuting, did isExecuting, …
/// ```
///
/// - Note: Create the probe before the operation starts, and only in tests of notifications:
///   recording orders the notifying threads, and could hide a data race between them.
public final class KVOProbe: Sendable, OpaqueMirror {
  /// A property of an operation for which its author sends notifications.
  public enum Key: String, Sendable {
    case isReady, isExecuting, isFinished

    /// The key with this name; Foundation accepts the names without "is" as well.
    init?(name: String) {
      switch name {
      case "isReady", "ready": self = .isReady
      case "isExecuting", "executing": self = .isExecuting
      case "isFinished", "finished": self = .isFinished
      default: return nil
      }
    }
  }

  /// One half of a notification: a value is about to change, or has changed.
  public enum Announcement: Hashable, Sendable, CustomStringConvertible {
    case will(Key)
    case did(Key)

    /// "will" or "did", and the key.
    public var description: String {
      switch self {
      case .will(let key): "will \(key)"
      case .did(let key): "did \(key)"
      }
    }
  }

  /// A notification, and the operation's state while it was sent.
  public struct Notice: Hashable, Sendable, CustomStringConvertible {
    /// Which half of which notification it is.
    public let announcement: Announcement
    /// `isExecuting`, read inside the notification on the notifying thread.
    public let isExecuting: Bool
    /// `isFinished`, read inside the notification on the notifying thread.
    public let isFinished: Bool

    /// Creates a notice to compare with recorded ones.
    public init(_ announcement: Announcement, isExecuting: Bool, isFinished: Bool) {
      self.announcement = announcement
      self.isExecuting = isExecuting
      self.isFinished = isFinished
    }

    /// The announcement and both values.
    public var description: String {
      "\(announcement), isExecuting=\(isExecuting) isFinished=\(isFinished)"
    }
  }

  private let recorded: LockedValue<[Notice]>
  private let listener: KVOListener

  /// Starts to listen to `operation`, which it retains, until the probe is released.
  ///
  /// - Parameters:
  ///   - operation: The operation to listen to.
  ///   - inside: Called inside each notification on the notifying thread, before the values are
  ///     read.
  public init(
    _ operation: Operation, inside: @escaping @Sendable (Announcement) -> Void = { _ in }
  ) {
    let recorded = LockedValue<[Notice]>([])
    self.recorded = recorded
    listener = KVOListener(operation) { announcement, operation in
      inside(announcement)
      let notice = Notice(
        announcement, isExecuting: operation.isExecuting, isFinished: operation.isFinished)
      recorded.withLock { $0.append(notice) }
    }
  }

  deinit { listener.stop() }

  /// The notices so far, in the order of sending.
  public var notices: [Notice] { recorded.withLock { $0 } }

  /// The notices of one announcement so far.
  public func notices(of announcement: Announcement) -> [Notice] {
    notices.filter { $0.announcement == announcement }
  }

  /// A sentence followed by the notices, one a line, for an expectation that fails.
  public func showing(_ sentence: String) -> Comment {
    let lines = notices.map { "  \($0)" }
    let list = lines.isEmpty ? "  (no notices)" : lines.joined(separator: "\n")
    return Comment(rawValue: "\(sentence)\n\n\(list)")
  }

  // MARK: - Whether notifications can be observed

  /// Whether notifications can be observed with this toolchain: a test with a right operation sees
  /// them.
  public static let isObservable: Bool = SelfTest.passes()
}

extension Trait where Self == ConditionTrait {
  /// Skips a test if notifications can't be observed, so that no answer fails for that reason.
  public static var observesKVO: Self {
    .enabled(if: KVOProbe.isObservable, "KVO can't be observed with this toolchain.")
  }
}

/// A right operation, written by hand, whose notifications must be seen as they are sent.
private enum SelfTest {
  static func passes() -> Bool {
    [true, false].allSatisfy { usesKeyPaths in
      let operation = Notifier(usesKeyPaths: usesKeyPaths)
      let probe = KVOProbe(operation)
      operation.start()
      operation.finish()
      return probe.notices == [
        .init(.will(.isExecuting), isExecuting: false, isFinished: false),
        .init(.did(.isExecuting), isExecuting: true, isFinished: false),
        .init(.will(.isFinished), isExecuting: true, isFinished: false),
        .init(.will(.isExecuting), isExecuting: true, isFinished: false),
        .init(.did(.isExecuting), isExecuting: false, isFinished: true),
        .init(.did(.isFinished), isExecuting: false, isFinished: true),
      ]
    }
  }

  // Safe: used on one thread.
  private final class Notifier: Operation, @unchecked Sendable {
    private let usesKeyPaths: Bool
    private var executing = false
    private var finished = false

    init(usesKeyPaths: Bool) {
      self.usesKeyPaths = usesKeyPaths
    }

    override var isExecuting: Bool { executing }
    override var isFinished: Bool { finished }

    override func start() {
      announce("isExecuting", \.isExecuting) { executing = true }
    }

    func finish() {
      announce("isFinished", \.isFinished) {
        announce("isExecuting", \.isExecuting) {
          executing = false
          finished = true
        }
      }
    }

    private func announce(
      _ key: String, _ keyPath: KeyPath<Operation, Bool>, _ change: () -> Void
    ) {
      // On Apple's platforms the root of the key path must be the receiver's own static type.
      let operation = self as Operation
      if usesKeyPaths {
        operation.willChangeValue(for: keyPath)
      } else {
        operation.willChangeValue(forKey: key)
      }
      change()
      if usesKeyPaths {
        operation.didChangeValue(for: keyPath)
      } else {
        operation.didChangeValue(forKey: key)
      }
    }
  }
}
