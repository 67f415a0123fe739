import Dispatch
import Foundation

// Right: a serial queue in place of the lock.
public final class LatestOnly<Query: Sendable, Answer: Sendable>: Sendable {
  public typealias Reply = @Sendable (_ answer: Answer) -> Void

  public typealias CancelRequest = @Sendable () -> Void

  public typealias Request = @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest

  private let queue: DispatchQueue
  private let request: Request
  private let onAnswer: @Sendable (_ answer: Answer, _ query: Query) -> Void
  private let states = DispatchQueue(label: "katas.answer.latest-only")
  // Safe: touched on `states` only.
  private nonisolated(unsafe) var newest: Flight?

  private final class Flight: Sendable {
    enum Phase {
      case beginning
      case underWay(CancelRequest)
      case over
      case replaced
    }

    // Safe: touched on the queue of its owner only.
    nonisolated(unsafe) var phase = Phase.beginning
  }

  public init(
    answersOn queue: DispatchQueue, request: @escaping Request,
    onAnswer: @escaping @Sendable (_ answer: Answer, _ query: Query) -> Void
  ) {
    self.queue = queue
    self.request = request
    self.onAnswer = onAnswer
  }

  deinit {
    replaceNewest(by: nil)?()
  }

  public func ask(_ query: Query) {
    let flight = Flight()
    replaceNewest(by: flight)?()
    let cancelRequest = request(query) { [weak self] answer in
      self?.receive(answer, to: query, from: flight)
    }
    let isReplaced = states.sync {
      switch flight.phase {
      case .beginning:
        flight.phase = .underWay(cancelRequest)
        return false
      case .underWay, .over: return false
      case .replaced: return true
      }
    }
    if isReplaced { cancelRequest() }
  }

  public func cancel() {
    replaceNewest(by: nil)?()
  }

  private func replaceNewest(by flight: Flight?) -> CancelRequest? {
    states.sync {
      let old = newest
      newest = flight
      switch old?.phase {
      case .underWay(let cancelRequest):
        old?.phase = .replaced
        return cancelRequest
      case .beginning:
        old?.phase = .replaced
        return nil
      case .over, .replaced, nil: return nil
      }
    }
  }

  private func receive(_ answer: Answer, to query: Query, from flight: Flight) {
    // Handed out, and let go of without the lock: nobody knows whose last reference it is.
    let before: Flight.Phase? = states.sync {
      switch flight.phase {
      case .beginning, .underWay:
        defer { flight.phase = .over }
        return flight.phase
      case .over, .replaced: return nil
      }
    }
    guard before != nil else { return }
    queue.async { [weak self] in self?.deliver(answer, to: query, from: flight) }
  }

  private func deliver(_ answer: Answer, to query: Query, from flight: Flight) {
    let isNewest = states.sync {
      guard newest === flight else { return false }
      newest = nil
      return true
    }
    if isNewest { onAnswer(answer, query) }
  }
}
