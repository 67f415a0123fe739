import AsyncOperations
import Foundation
import KataTesting

struct ConnectionLost: Error {}

/// An error that a request may reply with.
enum InFlightError: String, CaseIterable, Sendable {
  case connectionLost = "a lost connection"
  case cancellation = "a CancellationError"
  case userCancelled = "CocoaError.userCancelled"
  case anothersCancellation = "the .cancelled of another operation"
  case anothersFailure = "the failure of another operation's request"

  var error: any Error {
    switch self {
    case .connectionLost: ConnectionLost()
    case .cancellation: CancellationError()
    case .userCancelled: CocoaError(.userCancelled)
    case .anothersCancellation: RequestOperation.Failure.cancelled
    case .anothersFailure: RequestOperation.Failure.request(ConnectionLost())
    }
  }
}

/// How a cancellation comes while the request is being begun.
enum CancelWhileBegun: String, CaseIterable, Sendable {
  case byAnother = "by another thread"
  case byAnotherTwice = "by another thread, twice"
  case byAnotherThenReply = "by another thread, and then it replies"
  case inside = "by what begins it"
}

/// A life of an operation, from its start to its end.
enum InFlightLife: String, CaseIterable, Sendable {
  case reply = "it replied"
  case replyInBegin = "it replied inside begin"
  case failure = "it replied with an error"
  case failureInBegin = "it replied with an error inside begin"
  case twoReplies = "it replied twice"
  case cancel = "it was cancelled"
  case cancelThenReply = "it was cancelled, and then it replied"
  case replyInCancel = "it was cancelled, and replied inside that"
  case cancelTwice = "it was cancelled twice"
  case cancelInBegin = "it was cancelled inside begin"
  case replyThenCancel = "it replied, and then it was cancelled"

  /// The result that it must have, in words.
  var result: String {
    switch self {
    case .reply, .replyInBegin, .twoReplies, .replyThenCancel: "7"
    case .failure, .failureInBegin: "the request's ConnectionLost"
    case .cancel, .cancelThenReply, .replyInCancel, .cancelTwice, .cancelInBegin: "cancelled"
    }
  }

  /// What happens while the request is begun.
  func inBegin(_ request: HandRequest) {
    if self == .replyInBegin { request.reply() }
    if self == .failureInBegin { request.reply(failing: true) }
    if self == .cancelInBegin { request.operation?.cancel() }
  }

  /// What happens while the request is cancelled.
  func inCancel(_ request: HandRequest) {
    if self == .replyInCancel { request.reply(failing: true) }
  }

  /// What happens once it has begun.
  func goOn(_ operation: RequestOperation, _ request: HandRequest?) {
    switch self {
    case .replyInBegin, .failureInBegin, .cancelInBegin: break
    case .reply: request?.reply()
    case .failure: request?.reply(failing: true)
    case .twoReplies:
      request?.reply()
      request?.reply(failing: true)
    case .cancel, .replyInCancel: operation.cancel()
    case .cancelThenReply:
      operation.cancel()
      request?.reply()
    case .cancelTwice:
      operation.cancel()
      operation.cancel()
    case .replyThenCancel:
      request?.reply()
      operation.cancel()
    }
  }
}
