import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CancelInFlightTests {
  @Test func `in every schedule it has one result, and isCancelled says the same`() {
    let reply = InFlightModelledCall("reply(7)") {
      $0.reply()
    } model: {
      $0.reply()
    }
    // No thread makes a call after one of two cancellations: it may return while the other is
    // running.
    let threads = [
      [[start], [cancel]],
      [[start], [cancel], [cancel]],
      [[start, reply], [cancel]],
      [[cancel, start], [reply]],
      [[start, reply], [cancel], [cancel]],
    ]
    // Here the reply may come before `main()` has received what `begin` returned.
    let early = [[[start], [cancel], [reply]]]
    explore(scenarios(threads) + scenarios(early, repliesEarly: true))
  }

  @Test func `in every schedule a cancel while the request is begun reaches it`() {
    let letBeginReturn = InFlightModelledCall("let begin return") {
      $0.letBeginReturn()
    } model: { _ in
    }
    explore(scenarios([[[start], [cancel], [letBeginReturn]]], waitsInBegin: true))
  }

  private var start: InFlightModelledCall {
    InFlightModelledCall("start()") {
      $0.operation.start()
    } model: {
      $0.start()
    }
  }

  private var cancel: InFlightModelledCall {
    InFlightModelledCall("cancel()") {
      $0.cancel()
    } model: {
      $0.cancel()
    }
  }

  private func scenarios(
    _ threads: [[[InFlightModelledCall]]], waitsInBegin: Bool = false, repliesEarly: Bool = false
  ) -> [Scenario<InFlightSubject, InFlightModel>] {
    let subject = ModelledSubject(
      model: InFlightModel(), { InFlightSubject(waitsInBegin: waitsInBegin) },
      end: { $0.readings.description(repliesEarly: repliesEarly) },
      modelEnd: { $0.readings.description(repliesEarly: repliesEarly) },
      tearDown: { $0.tearDown() })
    return threads.map { Scenario(subject, threads: $0) }
  }
}

private typealias InFlightModelledCall = ModelledCall<InFlightSubject, InFlightModel>

/// What an operation and its request show in the end.
private struct InFlightReadings {
  var isExecuting = false
  var isFinished = false
  var isCancelled = false
  var result = "nil"
  /// How often the request was begun.
  var begun = 0
  /// For each cancellation of the request, whether the operation was finished by then.
  var requestCancellations: [Bool] = []
  /// Whether the request has replied.
  var hasReplied = false
  var completions = 0

  func description(repliesEarly: Bool) -> String {
    """
    isExecuting \(isExecuting), isFinished \(isFinished), isCancelled \(isCancelled), \
    result \(result), request begun \(times(begun)), completed \(times(completions)), \
    \(cancellations(areOpen: repliesEarly && hasReplied && result == "cancelled"))
    """
  }

  /// What is compared of them; it may be left open whether there is one.
  private func cancellations(areOpen: Bool) -> String {
    areOpen && [[], [false]].contains(requestCancellations)
      ? "request cancelled in time, or not at all"
      : "request cancelled while isFinished was \(requestCancellations)"
  }
}

/// An operation with its request, and a record of both.
private final class InFlightSubject: Sendable {
  let operation: RequestOperation
  private let replies = LockedValue<[RequestOperation.Reply]>([])
  private let told = LockedValue<[Bool]>([])
  private let hasReplied = LockedValue(false)
  private let completed = SharedCounter()
  private let beginMayReturn = DispatchSemaphore(value: 0)
  private let canceller = ThreadMark()
  private let cancelHasReturned = DispatchSemaphore(value: 0)

  init(waitsInBegin: Bool = false) {
    let own = LockedValue<WeakReference<RequestOperation>?>(nil)
    operation = RequestOperation {
      [
        replies, told, beginMayReturn, canceller, cancelHasReturned
      ] reply in
      replies.append(reply)
      // Not if an answer begins while it's created: the calls come later.
      if waitsInBegin, own.value != nil { beginMayReturn.wait() }
      return {
        // If another thread was left the request, that one's `cancel()` returns first.
        if waitsInBegin, !canceller.isCurrent {
          cancelHasReturned.wait()
          cancelHasReturned.signal()
        }
        told.append(own.value?.value?.isFinished ?? true)
      }
    }
    own.set(WeakReference(operation))
    operation.completionBlock = { [completed] in completed.increment() }
  }

  var readings: InFlightReadings {
    let result =
      switch operation.result {
      case .success(let data): "\(data.map(Int.init))"
      case .failure(.cancelled): "cancelled"
      case .failure(.request): "failed"
      case nil: "nil"
      }
    return InFlightReadings(
      isExecuting: operation.isExecuting, isFinished: operation.isFinished,
      isCancelled: operation.isCancelled, result: result, begun: replies.value.count,
      requestCancellations: told.value, hasReplied: hasReplied.value, completions: completed.value)
  }

  func reply() {
    guard let reply = replies.value.first else { return }
    hasReplied.set(true)
    reply(.success(Data([7])))
  }

  func cancel() {
    canceller.note()
    operation.cancel()
    cancelHasReturned.signal()
  }

  func letBeginReturn() { beginMayReturn.signal() }

  func tearDown() {
    letBeginReturn()
    cancelHasReturned.signal()
    replies.set([])
  }
}

private struct InFlightModel {
  private(set) var readings = InFlightReadings()

  mutating func start() {
    if readings.isCancelled {
      end()
    } else {
      readings.isExecuting = true
      readings.begun += 1
    }
  }

  mutating func cancel() {
    guard readings.result == "nil" else { return }
    readings.result = "cancelled"
    readings.isCancelled = true
    guard readings.isExecuting else { return }
    readings.requestCancellations.append(false)
    end()
  }

  mutating func reply() {
    guard readings.begun > 0 else { return }
    readings.hasReplied = true
    guard readings.result == "nil" else { return }
    readings.result = "[7]"
    end()
  }

  private mutating func end() {
    readings.isExecuting = false
    readings.isFinished = true
    readings.completions += 1
  }
}
