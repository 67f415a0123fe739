import Foundation

// The state on a serial queue. The call that takes the callback out passes the cancellation on; no
// other call finds it.
//
// Safe: what changes is touched on `queue` only.
public final class CancellableOperation: Operation, @unchecked Sendable {
  private enum Phase { case waiting, executing, finished }

  private let work: @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  private let queue = DispatchQueue(label: "katas.cancellation.state")
  private var phase = Phase.waiting
  private var isStarted = false
  private var hasEnded = false
  private var onCancel: (@Sendable () -> Void)?

  public init(
    onCancel: @escaping @Sendable () -> Void = {},
    work: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  ) {
    self.onCancel = onCancel
    self.work = work
    super.init()
  }

  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { queue.sync { phase == .executing } }
  public override var isFinished: Bool { queue.sync { phase == .finished } }

  public override func cancel() {
    let callback = queue.sync {
      defer { onCancel = nil }
      return phase == .finished ? nil : onCancel
    }
    super.cancel()
    if isCancelled { callback?() }
  }

  public override func start() {
    let isFirst = queue.sync {
      defer { isStarted = true }
      return !isStarted
    }
    guard isFirst else { return }
    if isCancelled {
      end()
    } else {
      willChangeValue(for: \.isExecuting)
      queue.sync { phase = .executing }
      didChangeValue(for: \.isExecuting)
      main()
    }
  }

  public override func main() {
    work { [self] in
      let isFirst = queue.sync {
        defer { hasEnded = true }
        return !hasEnded
      }
      if isFirst { end() }
    }
  }

  private func end() {
    willChangeValue(for: \.isExecuting)
    willChangeValue(for: \.isFinished)
    queue.sync { phase = .finished }
    didChangeValue(for: \.isExecuting)
    didChangeValue(for: \.isFinished)
  }
}
