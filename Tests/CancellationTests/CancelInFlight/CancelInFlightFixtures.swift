import AsyncOperations
import Foundation
import KataTesting
import Testing

/// A call that settles the result of an operation.
enum InFlightCall: String, CaseIterable, Sendable {
  case reply = "the reply"
  case cancel = "cancel()"
}

/// How a cancellation comes while the request is being begun.
enum CancelWhileBegun: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case byAnother = "by another thread"
  case byAnotherTwice = "by another thread, twice"
  case byAnotherThenReply = "by another thread, and then it replies"
  case inside = "by what begins it"

  /// The name in words.
  var testDescription: String { rawValue }
}

/// A life of an operation, from its start to its end.
enum InFlightLife: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case reply = "it replied"
  case replyInBegin = "it replied inside begin"
  case twoReplies = "it replied twice"
  case cancel = "it was cancelled"
  case cancelThenReply = "it was cancelled, and then it replied"
  case replyInCancel = "it was cancelled, and replied inside that"
  case cancelTwice = "it was cancelled twice"
  case cancelInBegin = "it was cancelled inside begin"
  case replyThenCancel = "it replied, and then it was cancelled"

  /// The name in words.
  var testDescription: String { rawValue }

  /// What it must come to, in words.
  var result: String {
    switch self {
    case .reply, .replyInBegin, .twoReplies, .replyThenCancel: "7"
    case .cancel, .cancelThenReply, .replyInCancel, .cancelTwice, .cancelInBegin: "cancelled"
    }
  }

  /// What happens while the request is begun.
  func inBegin(_ request: HandRequest) {
    if self == .replyInBegin { request.reply() }
    if self == .cancelInBegin { request.operation?.cancel() }
  }

  /// What happens while the request is cancelled.
  func inCancel(_ request: HandRequest) {
    if self == .replyInCancel { request.reply(failing: true) }
  }

  /// What comes once it has begun.
  func goOn(_ operation: RequestOperation, _ request: HandRequest?) {
    switch self {
    case .replyInBegin, .cancelInBegin: break
    case .reply: request?.reply()
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

struct ConnectionLost: Error {}

/// An error that a request may come with.
enum InFlightError: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case connectionLost = "a lost connection"
  case cancellation = "a CancellationError"
  case userCancelled = "CocoaError.userCancelled"

  /// The error in words.
  var testDescription: String { rawValue }

  var error: any Error {
    switch self {
    case .connectionLost: ConnectionLost()
    case .cancellation: CancellationError()
    case .userCancelled: CocoaError(.userCancelled)
    }
  }
}

/// A request that replies when the spec says so, and a record of what it was told.
final class HandRequest: Sendable, OpaqueMirror {
  private struct Record {
    var replies: [RequestOperation.Reply] = []
    var cancellations = 0
    var wasFinishedWhenCancelled = false
    var wasUnknownWhenCancelled = false
    weak var operation: RequestOperation?
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var record = Record()
  private let lock = NSLock()

  /// How often it was begun.
  var begun: Int { lock.withLock { record.replies.count } }
  /// How often it was cancelled.
  var cancellations: Int { lock.withLock { record.cancellations } }
  /// Whether the operation was finished by the time its request was cancelled.
  var wasFinishedWhenCancelled: Bool { lock.withLock { record.wasFinishedWhenCancelled } }
  /// Whether `isCancelled` was still false by the time the request was cancelled.
  var wasUnknownWhenCancelled: Bool { lock.withLock { record.wasUnknownWhenCancelled } }
  /// Whose request it is.
  var operation: RequestOperation? { lock.withLock { record.operation } }

  /// Replies with 7, or with an error; nothing where it hasn't been begun.
  func reply(_ value: UInt8 = 7, failing: Bool = false) {
    if failing { fail(with: ConnectionLost()) } else { reply(with: .success(Data([value]))) }
  }

  func fail(with error: any Error) { reply(with: .failure(error)) }

  private func reply(with result: Result<Data, any Error>) {
    let reply = lock.withLock { record.replies.first }
    reply?(result)
  }

  func belongs(to operation: RequestOperation) { lock.withLock { record.operation = operation } }
  func begin(_ reply: @escaping RequestOperation.Reply) {
    lock.withLock { record.replies.append(reply) }
  }
  func cancel() {
    let isFinished = operation?.isFinished ?? true
    let isKnown = operation?.isCancelled ?? true
    lock.withLock {
      record.cancellations += 1
      if isFinished { record.wasFinishedWhenCancelled = true }
      if !isKnown { record.wasUnknownWhenCancelled = true }
    }
  }
  /// Lets go of the replies, which hold the operation.
  func forget() {
    let replies = lock.withLock {
      defer { record.replies = [] }
      return record.replies
    }
    withExtendedLifetime(replies) {}
  }
}

/// An operation with the request that it begins.
final class InFlightJob: Sendable, OpaqueMirror {
  let request = HandRequest()
  let operation: RequestOperation
  /// The queue to run it in.
  let queue = OperationQueue()
  private let completed = Counter()

  /// Makes a job; the closures are what happens in the midst of beginning and of cancelling it.
  init(
    inBegin: @escaping @Sendable (HandRequest) -> Void = { _ in },
    inCancel: @escaping @Sendable (HandRequest) -> Void = { _ in }
  ) {
    let (request, completed) = (request, completed)
    operation = RequestOperation { reply in
      request.begin(reply)
      inBegin(request)
      return {
        request.cancel()
        inCancel(request)
      }
    }
    request.belongs(to: operation)
    operation.completionBlock = { completed.increment() }
  }

  deinit { request.forget() }

  /// How often the `completionBlock` was called.
  var completions: Int { completed.value }

  /// What the operation has come to, in words.
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

/// What an operation's end was seen with, in order.
final class SeenResults: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var seen: [String] = []
  private let lock = NSLock()

  func add(_ text: String) { lock.withLock { seen.append(text) } }
  var all: [String] { lock.withLock { seen } }
}

/// A request and its operation, as long as somebody else holds them.
final class HeldWeakly: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) weak var heldRequest: HandRequest?
  private nonisolated(unsafe) weak var heldOperation: RequestOperation?  // Safe: as above.
  private let lock = NSLock()

  var request: HandRequest? { lock.withLock { heldRequest } }
  var operation: RequestOperation? { lock.withLock { heldOperation } }

  func set(_ request: HandRequest?, _ operation: RequestOperation?) {
    lock.withLock {
      heldRequest = request
      heldOperation = operation
    }
  }
}

/// An operation in flight whose record orders no threads.
final class UnorderedFlight: Sendable, OpaqueMirror {
  let operation: RequestOperation
  let cancellations = Counter()
  private let begun: Begun

  /// What begin was given.
  private final class Begun: Sendable {
    // Safe: guarded by `lock`, which is free again before the answer does anything with it.
    private nonisolated(unsafe) var given: RequestOperation.Reply?
    private let lock = NSLock()

    var reply: RequestOperation.Reply? {
      get { lock.withLock { given } }
      set { lock.withLock { given = newValue } }
    }
  }

  /// Makes an operation; `inBegin` is what its request does once it has what it replies with.
  init(started: Bool = true, inBegin: @escaping @Sendable () -> Void = {}) throws {
    let (begun, cancellations) = (Begun(), cancellations)
    self.begun = begun
    let operation = RequestOperation { reply in
      begun.reply = reply
      inBegin()
      return { cancellations.increment() }
    }
    self.operation = operation
    guard started else { return }
    try mustReturn("start()") { operation.start() }
    try #require(begun.reply != nil, "start() calls main(), which must call begin.")
  }

  func make(_ call: InFlightCall) {
    if call == .cancel { operation.cancel() } else { begun.reply?(.success(Data([7]))) }
  }
}

// MARK: - Moves

extension CancelInFlightTests {
  /// A job whose request is in flight.
  func jobInFlight(
    _ job: InFlightJob = InFlightJob(), sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> InFlightJob {
    job.queue.addOperation(job.operation)
    try #require(
      eventually(
        "Its queue has started the operation, and no request was begun: main() must call begin.",
        sourceLocation: sourceLocation
      ) { job.request.begun == 1 })
    runUntilQuiet(sourceLocation: sourceLocation)
    return job
  }

  /// Makes a call on a thread of its own.
  func call(
    _ call: InFlightCall, on job: InFlightJob, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(call.rawValue, sourceLocation: sourceLocation) { job.make(call) }
  }

  /// Expects the end of an operation, once, with this result.
  func expectEnd(
    of job: InFlightJob, _ expected: String, after story: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    runUntilQuiet(sourceLocation: sourceLocation)
    let isOver = try mustReturn("isFinished", sourceLocation: sourceLocation) {
      job.operation.isFinished && !job.operation.isExecuting
    }
    #expect(
      isOver && job.completions == 1,
      """
      \(story) The operation must be finished and completed once; here \
      isFinished=\(job.operation.isFinished), isExecuting=\(job.operation.isExecuting), completed \
      \(job.completions) times.
      """,
      sourceLocation: sourceLocation)
    let result = try mustReturn("result", sourceLocation: sourceLocation) { job.result }
    #expect(
      result == expected, "\(story) The result must be \(expected), and it is \(result).",
      sourceLocation: sourceLocation)
  }

  /// Expects that the request was told once to stop.
  func expectCancelledRequest(
    of job: InFlightJob, after story: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      job.request.cancellations == 1,
      """
      \(story) Its request must be cancelled once, and was \(job.request.cancellations) times. Until \
      then it runs on, for nobody.
      """,
      sourceLocation: sourceLocation)
  }
}
