import AsyncOperations
import Foundation
import KataTesting
import Testing

/// A call that settles the result of an operation.
enum InFlightCall: String, CaseIterable, Sendable {
  case reply = "the reply"
  case cancel = "cancel()"
}

/// A request that replies when the spec says so, and a record of its cancellations.
final class HandRequest: Sendable, OpaqueMirror {
  /// The state of the operation when its request was cancelled.
  typealias Cancellation = (isFinished: Bool, isCancelled: Bool)

  private let replies = LockedValue<[RequestOperation.Reply]>([])
  private let told = LockedValue<[Cancellation]>([])
  private let owner = LockedValue<WeakReference<RequestOperation>?>(nil)

  /// How often it was begun.
  var begun: Int { replies.value.count }
  /// Each time that it was cancelled.
  var cancellations: [Cancellation] { told.value }
  /// The operation that the request belongs to.
  var operation: RequestOperation? { owner.value?.value }

  /// Replies with 7, or with an error; does nothing if it hasn't been begun.
  func reply(_ value: UInt8 = 7, failing: Bool = false) {
    if failing {
      fail(with: ConnectionLost())
    } else {
      replies.value.first?(.success(Data([value])))
    }
  }

  func fail(with error: any Error) { replies.value.first?(.failure(error)) }
  func belongs(to operation: RequestOperation) { owner.set(WeakReference(operation)) }
  func begin(_ reply: @escaping RequestOperation.Reply) { replies.append(reply) }
  func cancel() {
    let operation = operation
    told.append((operation?.isFinished ?? true, operation?.isCancelled ?? true))
  }
  /// Releases the replies, which retain the operation.
  func forget() { replies.set([]) }
}

/// An operation with the request that it begins.
final class InFlightJob: Sendable, OpaqueMirror {
  let request = HandRequest()
  let operation: RequestOperation
  /// The queue to run it in.
  let queue = OperationQueue()
  private let completed = SharedCounter()

  /// Makes a job; the closures run while the request is begun and while it's cancelled.
  init(
    inBegin: @escaping @Sendable (HandRequest) -> Void = { _ in },
    inCancel: @escaping @Sendable (HandRequest) -> Void = { _ in }
  ) {
    operation = RequestOperation { [request] reply in
      request.begin(reply)
      inBegin(request)
      return {
        request.cancel()
        inCancel(request)
      }
    }
    request.belongs(to: operation)
    operation.completionBlock = { [completed] in completed.increment() }
  }

  deinit { request.forget() }

  /// How often the `completionBlock` was called.
  var completions: Int { completed.value }

  /// The operation's result, in words.
  var result: String {
    switch operation.result {
    case .success(let data): data.map(String.init).joined(separator: ",")
    case .failure(.cancelled): "cancelled"
    case .failure(.request(let error)): "the request's \(type(of: error))"
    case nil: "nil"
    }
  }

  /// Makes a call on the calling thread.
  func make(_ call: InFlightCall) {
    switch call {
    case .reply: request.reply()
    case .cancel: operation.cancel()
    }
  }
}

/// An operation in flight whose record orders no threads.
final class UnorderedFlight: Sendable, OpaqueMirror {
  let operation: RequestOperation
  let cancellations = SharedCounter()
  /// What begin received; the lock around it is free again before the answer uses it.
  private let begun = LockedValue<RequestOperation.Reply?>(nil)

  /// Makes an operation; `inBegin` is what its request does once it has its reply.
  init(started: Bool = true, inBegin: @escaping @Sendable () -> Void = {}) throws {
    let operation = RequestOperation { [begun, cancellations] reply in
      begun.set(reply)
      inBegin()
      return { cancellations.increment() }
    }
    self.operation = operation
    guard started else { return }
    try mustReturn("start()") { operation.start() }
    try #require(begun.value != nil, "start() calls main(), which must call begin.")
  }

  func make(_ call: InFlightCall) {
    if call == .cancel { operation.cancel() } else { begun.value?(.success(Data([7]))) }
  }
}
