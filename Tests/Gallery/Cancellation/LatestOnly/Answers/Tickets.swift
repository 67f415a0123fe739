import Dispatch
import Foundation
import Synchronization

// A number for each request, behind the standard library's mutex.
public final class LatestOnly<Query: Sendable, Answer: Sendable>: Sendable {
  public typealias Reply = @Sendable (Answer) -> Void
  public typealias CancelRequest = @Sendable () -> Void

  private struct State {
    var ticket = 0
    /// The requests that haven't replied, with what cancels them once that's there.
    var open: [Int: CancelRequest?] = [:]
    /// The requests that were given up while they were being begun.
    var unwanted: Set<Int> = []
  }

  private let answerQueue: DispatchQueue
  private let begin: @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest
  private let onAnswer: @Sendable (_ query: Query, _ answer: Answer) -> Void
  private let state = Mutex(State())

  public init(
    answerQueue: DispatchQueue,
    begin: @escaping @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest,
    onAnswer: @escaping @Sendable (_ query: Query, _ answer: Answer) -> Void
  ) {
    self.answerQueue = answerQueue
    self.begin = begin
    self.onAnswer = onAnswer
  }

  deinit { cancel() }

  public func ask(_ query: Query) {
    let (mine, older) = state.withLock { state in
      let older = Self.drop(&state)
      state.open[state.ticket] = .some(nil)
      return (state.ticket, older)
    }
    for cancelRequest in older { cancelRequest() }
    let cancelRequest = begin(query) { [weak self] answer in
      guard let self else { return }
      let old = state.withLock { state in
        state.unwanted.remove(mine)
        return state.open.removeValue(forKey: mine)
      }
      guard old != nil else { return }
      answerQueue.async { [weak self] in
        guard let self, state.withLock({ $0.ticket }) == mine else { return }
        onAnswer(query, answer)
      }
    }
    let isUnwanted = state.withLock { state in
      if state.open[mine] != nil { state.open[mine] = cancelRequest }
      return state.unwanted.remove(mine) != nil
    }
    if isUnwanted { cancelRequest() }
  }

  public func cancel() {
    for cancelRequest in state.withLock({ Self.drop(&$0) }) { cancelRequest() }
  }

  private static func drop(_ state: inout State) -> [CancelRequest] {
    state.ticket += 1
    let open = state.open
    state.open = [:]
    for (ticket, cancelRequest) in open where cancelRequest == nil { state.unwanted.insert(ticket) }
    return open.values.compactMap { $0 }
  }
}
