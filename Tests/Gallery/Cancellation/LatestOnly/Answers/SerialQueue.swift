import Dispatch
import Foundation

// Everything is decided on a serial queue of its own. A token identifies each request; `newest`
// holds the newest one's token, and how far that request has come.
//
// Safe: what changes is touched on `decisions` alone.
public final class LatestOnly<Query: Sendable, Answer: Sendable>: @unchecked Sendable {
  public typealias Reply = @Sendable (Answer) -> Void
  public typealias CancelRequest = @Sendable () -> Void

  private enum Course {
    case starting, running(CancelRequest), replied
  }

  private let answerQueue: DispatchQueue
  private let begin: @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest
  private let onAnswer: @Sendable (_ query: Query, _ answer: Answer) -> Void
  private let decisions = DispatchQueue(label: "katas.answers.latest-only")
  private var newest: (token: Token, course: Course)?

  private final class Token: @unchecked Sendable {  // Safe: touched on `decisions` alone.
    var hasReplied = false
  }

  public init(
    answerQueue: DispatchQueue,
    begin: @escaping @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest,
    onAnswer: @escaping @Sendable (_ query: Query, _ answer: Answer) -> Void
  ) {
    self.answerQueue = answerQueue
    self.begin = begin
    self.onAnswer = onAnswer
  }

  deinit {
    if case .running(let cancelRequest)? = newest?.course { cancelRequest() }
  }

  public func ask(_ query: Query) {
    let token = Token()
    replace(by: (token, .starting))
    let cancelRequest = begin(query) { [weak self] answer in self?.take(answer, query, token) }
    let isUnwanted = decisions.sync {
      guard let newest, newest.token === token else { return !token.hasReplied }
      if case .starting = newest.course { self.newest = (token, .running(cancelRequest)) }
      return false
    }
    if isUnwanted { cancelRequest() }
  }

  public func cancel() { replace(by: nil) }

  private func replace(by next: (Token, Course)?) {
    let older = decisions.sync {
      defer { newest = next.map { (token: $0.0, course: $0.1) } }
      return newest?.course
    }
    if case .running(let cancelRequest)? = older { cancelRequest() }
  }

  private func take(_ answer: Answer, _ query: Query, _ token: Token) {
    let old: Course? = decisions.sync {
      token.hasReplied = true
      guard let newest, newest.token === token else { return nil }
      if case .replied = newest.course { return nil }
      defer { self.newest = (token, .replied) }
      return newest.course
    }
    guard old != nil else { return }
    answerQueue.async { [weak self] in
      guard let self, decisions.sync(execute: { self.newest?.token === token }) else { return }
      onAnswer(query, answer)
    }
  }
}
