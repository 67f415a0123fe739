import Foundation
import Synchronization

// The standard library's mutex around one enum, which holds the data too; both properties are
// announced around every change.
//
// Safe: what changes is inside `life`.
public final class CachedLoadOperation: Operation, @unchecked Sendable {
  public typealias Completion = @Sendable (_ data: Data) -> Void

  private let cached: @Sendable () -> Data?
  private let load: @Sendable (_ completion: @escaping Completion) -> Void

  private enum Life {
    case waiting
    case executing
    case ending
    case over(Data?)
  }

  private let life = Mutex(Life.waiting)

  public init(
    cached: @escaping @Sendable () -> Data?,
    load: @escaping @Sendable (_ completion: @escaping Completion) -> Void
  ) {
    self.cached = cached
    self.load = load
    super.init()
  }

  public var data: Data? {
    life.withLock { if case .over(let data) = $0 { data } else { nil } }
  }

  public override var isAsynchronous: Bool { true }

  public override var isExecuting: Bool {
    life.withLock {
      switch $0 {
      case .executing, .ending: true
      case .waiting, .over: false
      }
    }
  }

  public override var isFinished: Bool {
    life.withLock { if case .over = $0 { true } else { false } }
  }

  private func become(_ next: Life) {
    for key in ["isExecuting", "isFinished"] { willChangeValue(forKey: key) }
    life.withLock { $0 = next }
    for key in ["isExecuting", "isFinished"] { didChangeValue(forKey: key) }
  }

  public override func start() {
    if isCancelled { return become(.over(nil)) }
    become(.executing)
    main()
  }

  public override func main() {
    if let data = cached() {
      finish(data)
    } else {
      load { [self] data in finish(data) }
    }
  }

  private func finish(_ data: Data) {
    let isFirst = life.withLock { life in
      guard case .executing = life else { return false }
      life = .ending
      return true
    }
    if isFirst { become(.over(data)) }
  }
}
