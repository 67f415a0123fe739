import Foundation
import QuiescenceTesting
import Testing

/// Listens to the notices of one operation: what it announced, and how it stood at that moment.
///
/// A queue learns from these notices that an operation has begun and ended; who watches an
/// operation relies on the old value inside *will* and the new one inside *did*. The probe records
/// both kinds in the order of sending, each with `isExecuting` and `isFinished` as the notifying
/// thread reads them inside the notice.
///
/// ```swift
/// let probe = KVOProbe(operation)
/// operation.start()
/// probe.notices  // will isExecuting, did isExecuting, …
/// ```
///
/// - Note: Make the probe before the operation starts, and only where notices are judged: recording
///   orders the threads that notify, and could hide a data race between them.
public final class KVOProbe: Sendable, OpaqueMirror {
  /// A property of an operation that its author announces.
  public enum Key: String, Sendable {
    case isReady, isExecuting, isFinished

    /// The key called `name`; Foundation takes the names without "is" as well.
    init?(name: String) {
      switch name {
      case "isReady", "ready": self = .isReady
      case "isExecuting", "executing": self = .isExecuting
      case "isFinished", "finished": self = .isFinished
      default: return nil
      }
    }
  }

  /// One half of an announcement: that a value is about to change, or has.
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

  /// An announcement, and how the operation stood while it was made.
  public struct Notice: Hashable, Sendable, CustomStringConvertible {
    /// What was announced.
    public let announcement: Announcement
    /// `isExecuting`, read inside the notice on the notifying thread.
    public let isExecuting: Bool
    /// `isFinished`, read inside the notice on the notifying thread.
    public let isFinished: Bool

    /// Creates a notice, to compare recorded ones with.
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

  /// Starts to listen to `operation`, which it keeps alive; it stops when the probe goes away.
  ///
  /// - Parameters:
  ///   - operation: The operation to listen to.
  ///   - inside: Called inside each notice on the notifying thread, before the values are read.
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

  /// A sentence with the notices below it, one a line, for an expectation that fails.
  public func showing(_ sentence: String) -> Comment {
    let lines = notices.map { "  \($0)" }
    let list = lines.isEmpty ? "  (no notices)" : lines.joined(separator: "\n")
    return Comment(rawValue: "\(sentence)\n\n\(list)")
  }

  // MARK: - Whether it works here

  /// Whether notices can be observed with this toolchain: those of a right operation are seen.
  public static let isObservable: Bool = SelfTest.passes()
}

extension Trait where Self == ConditionTrait {
  /// Leaves a test out where notices can't be observed, so that nobody is blamed for it.
  public static var observesKVO: Self {
    .enabled(if: KVOProbe.isObservable, "KVO can't be observed with this toolchain.")
  }
}

/// A right operation made by hand, whose notices must be seen as they are sent.
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
      // On Apple's platforms the key path must be one of the receiver's own static type.
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
