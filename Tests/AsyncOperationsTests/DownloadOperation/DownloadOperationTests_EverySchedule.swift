import Dispatch
import Foundation
import KataTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension DownloadOperationTests {
  // MARK: - Every schedule

  @Test func `in every schedule a cancellation before the end is its result`() {
    let handle = ScriptedCall("the handler") {
      $0.callHandler()
    } model: {
      $0.callHandler()
    }
    let result = ScriptedCall("result") {
      $0.result
    } model: {
      $0.result
    }
    let threads = [
      [[handle], [Self.cancel, result]],
      [[handle, Self.cancel], [result, result]],
    ]
    explore(threads.map { Scenario(Self.subject(.hasAnswered), threads: $0) })
  }

  // Cancelled when its end is about to be announced: whether that's in time is left open.
  @Test(.observesKVO) func `in every schedule a result that was read stays as it is`() {
    typealias Call = ModelledCall<ScriptedDownload, Void>
    let subject = ModelledSubject(
      { ScriptedDownload(.hasAnswered, isCancelledLate: true) }, check: { $0.changedResult },
      tearDown: { $0.tearDown() })
    explore([
      Scenario(
        subject,
        threads: [
          [Call("the handler") { $0.callHandler() }], [Call("result") { $0.readResult() }],
        ])
    ])
  }

  @Test func `in every schedule a cancellation ends it, before its start, in it and after`() {
    let start = ScriptedCall("start()") {
      $0.start()
    } model: {
      $0.start()
    }
    let unanswered = [
      [[start], [Self.cancel]],
      [[start], [Self.cancel], [Self.cancel]],
      [[Self.cancel, start], [Self.cancel]],
      [[start, Self.cancel], [Self.cancel]],
    ]
    explore(
      unanswered.map { Scenario(Self.subject(.neverAnswers), threads: $0) }
        + [Scenario(Self.subject(.answers), threads: [[start], [Self.cancel]])])
  }

  private static let cancel = ScriptedCall("cancel()") {
    $0.cancel()
  } model: {
    $0.cancel()
  }

  private static func subject(
    _ server: ScriptedServer
  ) -> ModelledSubject<ScriptedDownload, DownloadModel> {
    ModelledSubject(
      model: DownloadModel(server), { ScriptedDownload(server) },
      end: { $0.readings.description }, modelEnd: { $0.readings.description },
      tearDown: { $0.tearDown() })
  }
}

private typealias ScriptedCall = ModelledCall<ScriptedDownload, DownloadModel>

/// What the server does.
private enum ScriptedServer: Sendable {
  /// It has answered a download that was started; the session has yet to call the handler.
  case hasAnswered
  case answers, neverAnswers
}

/// What a download shows in the end.
private struct DownloadReadings: CustomStringConvertible {
  var isExecuting = false
  var isFinished = false
  var isCancelled = false
  var result = "nil"
  /// The result at each call of the completion block.
  var completions: [String] = []
  /// The requests that were sent although it was cancelled before its start.
  var badRequests = 0

  var description: String {
    // Cancelled after another result, it may say so or not.
    let isLeftOpen = result == "[7]"
    return """
      isExecuting \(isExecuting), isFinished \(isFinished), \
      \(isLeftOpen ? "" : "isCancelled \(isCancelled), ")result \(result), \
      completed with \(completions), \(badRequests) requests after a cancellation
      """
  }
}

/// A download whose server is in this process, and whose session calls the handler when it's told.
private final class ScriptedDownload: Sendable, OpaqueMirror {
  private let operation: DownloadOperation
  private let session: DownloadSession
  private let handlers = OperationQueue()
  private let requests: ScriptedRequests
  private let mayRequest = LockedValue(true)
  private let completions = LockedValue<[String]>([])
  /// The results that were read, other than nil.
  private let read = LockedValue<[String]>([])
  private let hasEnded = DispatchSemaphore(value: 0)
  private let probe: KVOProbe?

  init(_ server: ScriptedServer, isCancelledLate: Bool = false) {
    requests = ScriptedRequests(isAnswered: server != .neverAnswers)
    handlers.maxConcurrentOperationCount = 1
    handlers.isSuspended = server == .hasAnswered
    session = DownloadSession(handlers: handlers, isScripted: true)
    operation = DownloadOperation(url: requests.url, session: session.session)
    let own = WeakReference(operation)
    operation.completionBlock = { [completions, hasEnded] in
      completions.append(Self.name(of: own.value?.result))
      hasEnded.signal()
    }
    probe =
      isCancelledLate
      ? KVOProbe(operation) { if $0 == .will(.isFinished) { own.value?.cancel() } } : nil
    guard server == .hasAnswered else { return }
    operation.start()
    // A wrong one may never send its request.
    if requests.hasAnswered.wait(timeout: .now() + 0.05) == .timedOut { runUntilQuiet() }
  }

  var result: String { Self.name(of: operation.result) }

  func readResult() {
    let result = result
    if result != "nil" { read.append(result) }
  }

  var changedResult: String? {
    let last = result
    return read.value.first { $0 != last }.map { "result was \($0), and is \(last) in the end." }
  }

  var readings: DownloadReadings {
    DownloadReadings(
      isExecuting: operation.isExecuting, isFinished: operation.isFinished,
      isCancelled: operation.isCancelled, result: result, completions: completions.value,
      badRequests: mayRequest.value ? 0 : requests.count.value)
  }

  func start() {
    if operation.isCancelled { mayRequest.set(false) }
    operation.start()
  }

  func cancel() { operation.cancel() }

  /// Lets the session call the handler, and waits until the operation has ended.
  func callHandler() {
    handlers.isSuspended = false
    hasEnded.wait()
  }

  func tearDown() {
    handlers.isSuspended = false
    hasEnded.signal()
    requests.forget()
  }

  private static func name(of result: DownloadResult) -> String {
    switch result {
    case .success(let data): "\(data.map(Int.init))"
    case .failure(.cancelled): "cancelled"
    case .failure: "another failure"
    case nil: "nil"
    }
  }
}

private struct DownloadModel {
  private(set) var readings = DownloadReadings()
  private let server: ScriptedServer

  init(_ server: ScriptedServer) {
    self.server = server
    readings.isExecuting = server == .hasAnswered
  }

  var result: String { readings.result }

  mutating func start() {
    readings.isExecuting = true
    if readings.isCancelled || server == .answers { end() }
  }

  mutating func cancel() {
    guard !readings.isFinished else { return }
    readings.isCancelled = true
    if readings.isExecuting, server == .neverAnswers { end() }
  }

  mutating func callHandler() { end() }

  private mutating func end() {
    readings.isExecuting = false
    readings.isFinished = true
    readings.result = readings.isCancelled ? "cancelled" : "[7]"
    readings.completions.append(readings.result)
  }
}
