import Dispatch
import Foundation

// Wrong: what begin returns last is taken for the closure that cancels the newest request.
public final class LatestOnly<Query: Sendable, Answer: Sendable>: Sendable {
  public typealias Reply = @Sendable (Answer) -> Void
  public typealias CancelRequest = @Sendable () -> Void

  private let answerQueue: DispatchQueue
  private let begin: @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest
  private let onAnswer: @Sendable (_ query: Query, _ answer: Answer) -> Void
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var count = 0
  private nonisolated(unsafe) var answered = 0
  private nonisolated(unsafe) var current: CancelRequest?  // Safe: as above.

  public init(
    answerQueue: DispatchQueue,
    begin: @escaping @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest,
    onAnswer: @escaping @Sendable (_ query: Query, _ answer: Answer) -> Void
  ) {
    self.answerQueue = answerQueue
    self.begin = begin
    self.onAnswer = onAnswer
  }

  deinit { current?() }

  public func ask(_ query: Query) {
    cancel()
    let number = lock.withLock { count }
    let cancelRequest = begin(query) { [weak self] answer in
      guard let self else { return }
      let old: CancelRequest?? = lock.withLock {
        guard number == count, answered != number else { return nil }
        answered = number
        defer { current = nil }
        return .some(current)
      }
      guard old != nil else { return }
      answerQueue.async { [weak self] in
        guard let self, lock.withLock({ number == self.count }) else { return }
        onAnswer(query, answer)
      }
    }
    lock.withLock { if answered != number { current = cancelRequest } }
  }

  public func cancel() {
    let old = lock.withLock {
      count += 1
      defer { current = nil }
      return current
    }
    old?()
  }
}
