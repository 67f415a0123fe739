import Dispatch
import Foundation

// Right: each request is an object with a lock of its own, and knows itself whether it's wanted.
public final class LatestOnly<Query: Sendable, Answer: Sendable>: Sendable {
  public typealias Reply = @Sendable (_ answer: Answer) -> Void
  public typealias CancelRequest = @Sendable () -> Void
  public typealias Request = @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest

  private let queue: DispatchQueue
  private let request: Request
  private let onAnswer: @Sendable (_ answer: Answer, _ query: Query) -> Void
  private let newest = Slot()

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
    let ticket = Ticket()
    newest.swap(for: ticket)?.giveUp()
    let cancelRequest = request(query) { [queue, onAnswer, ticket] answer in
      guard ticket.reply() else { return }
      queue.async { if ticket.isWanted { onAnswer(answer, query) } }
    }
    ticket.began(cancelRequest)
  }

  public func cancel() {
    newest.swap(for: nil)?.giveUp()
  }
}

/// The place of the newest ticket.
private final class Slot: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var ticket: Ticket?
  private let lock = NSLock()

  func swap(for new: Ticket?) -> Ticket? {
    lock.withLock {
      defer { ticket = new }
      return ticket
    }
  }
}

private final class Ticket: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var wanted = true
  private nonisolated(unsafe) var replied = false  // Safe: as above.
  private nonisolated(unsafe) var cancelRequest: (@Sendable () -> Void)?  // Safe: as above.
  private let lock = NSLock()

  var isWanted: Bool { lock.withLock { wanted } }

  func reply() -> Bool {
    let (counts, kept) = lock.withLock {
      defer {
        replied = true
        cancelRequest = nil
      }
      return (wanted && !replied, cancelRequest)
    }
    withExtendedLifetime(kept) {}
    return counts
  }

  func began(_ cancel: @escaping @Sendable () -> Void) {
    let isLate = lock.withLock {
      if wanted, !replied { cancelRequest = cancel }
      return !wanted && !replied
    }
    if isLate { cancel() }
  }

  func giveUp() {
    let cancel = lock.withLock {
      defer {
        wanted = false
        cancelRequest = nil
      }
      return cancelRequest
    }
    cancel?()
  }
}
