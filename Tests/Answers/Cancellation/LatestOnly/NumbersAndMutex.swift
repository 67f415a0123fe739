import Dispatch
import Synchronization

// Right: requests are numbered, their ways to be cancelled stand in a table, and the standard library's
// mutex guards both.
public final class LatestOnly<Query: Sendable, Answer: Sendable>: Sendable {
  public typealias Reply = @Sendable (_ answer: Answer) -> Void
  public typealias CancelRequest = @Sendable () -> Void
  public typealias Request = @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest

  private struct Desk {
    var newest = 0
    /// Those that have been begun or are being begun, and haven't replied.
    var open: Set<Int> = []
    var cancelRequests: [Int: CancelRequest] = [:]
  }

  private let queue: DispatchQueue
  private let request: Request
  private let onAnswer: @Sendable (_ answer: Answer, _ query: Query) -> Void
  private let desk = Mutex(Desk())

  public init(
    answersOn queue: DispatchQueue, request: @escaping Request,
    onAnswer: @escaping @Sendable (_ answer: Answer, _ query: Query) -> Void
  ) {
    self.queue = queue
    self.request = request
    self.onAnswer = onAnswer
  }

  deinit { cancel() }

  public func ask(_ query: Query) {
    let number = takePlace(opening: true)
    let cancelRequest = request(query) { [weak self] answer in
      self?.receive(answer, to: query, number)
    }
    let isStale = desk.withLock { desk in
      guard desk.open.contains(number) else { return false }
      guard desk.newest == number else {
        desk.open.remove(number)
        return true
      }
      desk.cancelRequests[number] = cancelRequest
      return false
    }
    if isStale { cancelRequest() }
  }

  public func cancel() { _ = takePlace(opening: false) }

  private func takePlace(opening: Bool) -> Int {
    let (number, cancelRequest) = desk.withLock { desk in
      let old = desk.newest
      let cancelRequest = desk.cancelRequests.removeValue(forKey: old)
      if cancelRequest != nil { desk.open.remove(old) }
      desk.newest += 1
      if opening { desk.open.insert(desk.newest) }
      return (desk.newest, cancelRequest)
    }
    cancelRequest?()
    return number
  }

  private func receive(_ answer: Answer, to query: Query, _ number: Int) {
    let before: (isOpen: Bool, CancelRequest?) = desk.withLock { desk in
      (desk.open.remove(number) != nil, desk.cancelRequests.removeValue(forKey: number))
    }
    guard before.isOpen else { return }
    queue.async { [weak self] in
      guard let self, desk.withLock({ $0.newest == number }) else { return }
      onAnswer(answer, query)
    }
  }
}
