import Foundation
import Synchronization

// The standard library's mutex around one enum; ending is a state of its own.
//
// Safe: what changes is inside `life`.
public final class FirstAnswerOperation: Operation, @unchecked Sendable {
  public typealias Finish = @Sendable (_ answer: String) -> Bool

  private let work: @Sendable (_ finish: @escaping Finish) -> Void

  private enum Life {
    case waiting
    case executing
    case ending(String)
    case over(String?)
  }

  private let life = Mutex(Life.waiting)

  public init(work: @escaping @Sendable (_ finish: @escaping Finish) -> Void) {
    self.work = work
    super.init()
  }

  public var answer: String? {
    life.withLock { if case .over(let answer) = $0 { answer } else { nil } }
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

  public override func start() {
    if isCancelled {
      willChangeValue(forKey: "isFinished")
      life.withLock { $0 = .over(nil) }
      didChangeValue(forKey: "isFinished")
      return
    }
    willChangeValue(forKey: "isExecuting")
    life.withLock { $0 = .executing }
    didChangeValue(forKey: "isExecuting")
    main()
  }

  public override func main() {
    work { [self] answer in finish(answer) }
  }

  private func finish(_ answer: String) -> Bool {
    let isFirst = life.withLock { life in
      guard case .executing = life else { return false }
      life = .ending(answer)
      return true
    }
    guard isFirst else { return false }
    willChangeValue(forKey: "isFinished")
    willChangeValue(forKey: "isExecuting")
    life.withLock { if case .ending(let answer) = $0 { $0 = .over(answer) } }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
    return true
  }
}
