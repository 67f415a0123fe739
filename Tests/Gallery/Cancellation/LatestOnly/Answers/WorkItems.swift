import Dispatch
import Foundation

// An answer waits in the answer queue as a work item, which is cancelled when the answer goes
// stale: a cancelled item that hasn't begun never runs.
//
// Safe: what changes is guarded by `lock`.
public final class LatestOnly<Query: Sendable, Answer: Sendable>: @unchecked Sendable {
  public typealias Reply = @Sendable (Answer) -> Void
  public typealias CancelRequest = @Sendable () -> Void

  private let answerQueue: DispatchQueue
  private let begin: @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest
  private let onAnswer: @Sendable (_ query: Query, _ answer: Answer) -> Void
  private let lock = NSRecursiveLock()
  private var count = 0
  private var isOpen = false
  /// The requests whose begin hasn't returned, as long as they haven't replied.
  private var beginning: Set<Int> = []
  private var cancelRequest: CancelRequest?
  private var delivery: DispatchWorkItem?

  public init(
    answerQueue: DispatchQueue,
    begin: @escaping @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest,
    onAnswer: @escaping @Sendable (_ query: Query, _ answer: Answer) -> Void
  ) {
    self.answerQueue = answerQueue
    self.begin = begin
    self.onAnswer = onAnswer
  }

  deinit { makeStale(opening: false).older?() }

  public func ask(_ query: Query) {
    let (number, older) = makeStale(opening: true)
    older?()
    let cancel = begin(query) { [weak self] answer in self?.take(answer, query, number) }
    let isStale = lock.withLock {
      let hasReplied = beginning.remove(number) == nil
      guard number == count else { return !hasReplied }
      if isOpen { cancelRequest = cancel }
      return false
    }
    if isStale { cancel() }
  }

  public func cancel() { makeStale(opening: false).older?() }

  private func makeStale(opening: Bool) -> (number: Int, older: CancelRequest?) {
    lock.lock()
    defer { lock.unlock() }
    delivery?.cancel()
    delivery = nil
    count += 1
    isOpen = opening
    if opening { beginning.insert(count) }
    defer { cancelRequest = nil }
    return (count, cancelRequest)
  }

  private func take(_ answer: Answer, _ query: Query, _ number: Int) {
    lock.lock()
    beginning.remove(number)
    guard number == count, isOpen else { return lock.unlock() }
    isOpen = false
    let old = cancelRequest
    cancelRequest = nil
    let item = DispatchWorkItem { [weak self, onAnswer] in
      onAnswer(query, answer)
      self?.hasDelivered(number)
    }
    delivery = item
    answerQueue.async(execute: item)
    lock.unlock()
    withExtendedLifetime(old) {}
  }

  /// Releases the work item, and what it retains.
  private func hasDelivered(_ number: Int) {
    lock.withLock { if number == count { delivery = nil } }
  }
}
