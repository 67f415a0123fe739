import Foundation

// The state on a serial queue. A call that finds no answer there stores its own, and so ends the
// operation.
public final class FirstAnswerOperation: Operation, @unchecked Sendable {
  public typealias Finish = @Sendable (_ answer: String) -> Bool

  private let work: @Sendable (_ finish: @escaping Finish) -> Void
  private let queue = DispatchQueue(label: "katas.first-answer")
  // Safe: these are used on `queue` only.
  private var hasBegun = false
  private var claimed: String?
  private var isOver = false

  public init(work: @escaping @Sendable (_ finish: @escaping Finish) -> Void) {
    self.work = work
    super.init()
  }

  public var answer: String? { queue.sync { isOver ? claimed : nil } }
  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { queue.sync { hasBegun && !isOver } }
  public override var isFinished: Bool { queue.sync { isOver } }

  public override func start() {
    if isCancelled {
      announce([\.isFinished]) { isOver = true }
    } else {
      announce([\.isExecuting]) { hasBegun = true }
      main()
    }
  }

  public override func main() {
    work { [self] answer in finish(answer) }
  }

  private func finish(_ answer: String) -> Bool {
    let isFirst = queue.sync {
      guard claimed == nil else { return false }
      claimed = answer
      return true
    }
    if isFirst { announce([\.isExecuting, \.isFinished]) { isOver = true } }
    return isFirst
  }

  private func announce(_ keyPaths: [KeyPath<Operation, Bool>], _ change: () -> Void) {
    let operation = self as Operation
    for keyPath in keyPaths { operation.willChangeValue(for: keyPath) }
    queue.sync(execute: change)
    for keyPath in keyPaths { operation.didChangeValue(for: keyPath) }
  }
}
