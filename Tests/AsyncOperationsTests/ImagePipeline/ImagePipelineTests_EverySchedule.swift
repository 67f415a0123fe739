import Foundation
import Images
import KataTesting
import Testing

#if !KATA_REFERENCE
  // The types that the answer uses.
  import enum AsyncOperations.DownloadError
  import class AsyncOperations.DownloadOperation
#endif

extension ImagePipelineTests {
  // MARK: - Every schedule

  @Test func `in every schedule a save that has begun decides the result`() {
    explore([
      Scenario(PipelineModel.subject(at: .save), threads: [[.end(of: .save)], [.cancel]])
    ])
  }

  @Test func `in every schedule cancel stops what hasn't begun, and keeps what has failed`() {
    let (filtered, saved) = (PipelineCall.end(of: .filter), PipelineCall.end(of: .save))
    let downloadFails = PipelineCall("the download fails, and is over") {
      $0.endDownload()
    } model: {
      $0.end(.download)
    }
    let resume = PipelineCall("the queue is resumed") {
      $0.queue.isSuspended = false
    } model: { _ in
    }
    let (fresh, decoding) = (PipelineModel.subject(), PipelineModel.subject(at: .decode))
    explore([
      // The save can't have begun when it's cancelled.
      Scenario(decoding, threads: [[.end(of: .decode)], [.cancel, filtered, saved]]),
      // No reply arrives: one that comes during the cancellation can trap in Foundation on Linux.
      Scenario(fresh, threads: [[.start], [.cancel]]),
      Scenario(fresh, threads: [[.cancel, .start], [.cancel]]),
      Scenario(
        PipelineModel.subject(failing: .download), threads: [[.start, downloadFails, .cancel]]),
      Scenario(
        PipelineModel.subject(failing: .download, status: nil),
        threads: [[.start, downloadFails, .cancel]]),
      Scenario(
        PipelineModel.subject(at: .decode, failing: .decode),
        threads: [[.end(of: .decode)], [.cancel, resume]]),
    ])
  }
}

private typealias PipelineCall = ModelledCall<PipelineSubject, PipelineModel>

extension PipelineCall {
  fileprivate static var start: Self {
    Self("start(on:)") {
      $0.start()
    } model: {
      $0.start()
    }.onlyOnce
  }

  fileprivate static var cancel: Self {
    Self("cancel()") {
      $0.pipeline.cancel()
    } model: {
      $0.cancel()
    }
  }

  fileprivate static func end(of step: PipelineStep) -> Self {
    Self("\(step) may end") {
      $0.end(step)
    } model: {
      $0.end(step)
    }
  }
}

private enum PipelineStep: CaseIterable { case download, decode, filter, save }

/// A pipeline, each step of which waits until it may end, and a record of its calls.
private final class PipelineSubject: Sendable, OpaqueMirror {
  let pipeline: ImagePipeline
  let queue = OperationQueue()
  private let reply: HeldReply
  private let gates: [PipelineStep: Gate]
  private let file: URL
  private let called: LockedValue<[PipelineStep]>
  private let results = LockedValue<[String]>([])

  /// Creates a pipeline; with a step to begin at, it's started and has begun that step.
  ///
  /// A download that fails does so by `status`, or without one by a lost connection.
  init(at first: PipelineStep?, failing: PipelineStep?, status: Int?) {
    let called = LockedValue<[PipelineStep]>([])
    let gates = Dictionary(
      uniqueKeysWithValues: [PipelineStep.decode, .filter, .save].map { ($0, Gate("\($0)")) })
    let hasBegun = DispatchSemaphore(value: 0)
    let step: @Sendable (PipelineStep) throws -> Void = { step in
      called.append(step)
      if step == first { hasBegun.signal() }
      gates[step]?.wait()
      if step == failing { throw StepFailure(step: "\(step)") }
    }
    let picture = RGBImage(rows: [[RGB(grey: 0)]])
    (self.called, self.gates) = (called, gates)
    reply = HeldReply(status: failing == .download ? status : 200)
    file = URL(filePath: "/picture.ppm")
    pipeline = ImagePipeline(
      from: reply.url, to: file, session: HeldReply.session,
      steps: ImagePipeline.Steps(
        decode: { _ in
          try step(.decode)
          return picture
        },
        filter: { _ in
          try step(.filter)
          return picture
        },
        save: { _, _ in try step(.save) }))
    guard let first else { return }
    start()
    for step in PipelineStep.allCases.prefix(while: { $0 != first }) { end(step) }
    // A wrong one may never get there.
    if hasBegun.wait(timeout: .now() + 0.05) == .timedOut { runUntilQuiet() }
    // If that step fails, none begins after it until the queue is resumed.
    queue.isSuspended = first == failing
  }

  func start() {
    pipeline.start(on: queue) { [results, file] result in
      switch result {
      case .success(let saved): results.append(saved == file ? "saved" : "another file")
      case .failure(DownloadError.status), .failure(DownloadError.transport):
        results.append("download has failed")
      case .failure(DownloadError.cancelled): results.append("cancelled")
      case .failure(let error as StepFailure): results.append("\(error.step) has failed")
      case .failure(let error): results.append("\(error)")
      }
    }
  }

  func end(_ step: PipelineStep) {
    if let gate = gates[step] { gate.open() } else { reply.send() }
  }

  /// Lets the download end, and waits until it has finished.
  func endDownload() {
    let downloads = queue.operations.compactMap { $0 as? DownloadOperation }
    reply.send()
    for download in downloads { download.waitUntilFinished() }
  }

  var end: String { PipelineModel.text(called: called.value, results: results.value) }

  func tearDown() {
    queue.isSuspended = false
    for step in PipelineStep.allCases { end(step) }
    reply.end()
  }
}

/// A step that may end begins the next one, unless it fails or the pipeline was cancelled.
private struct PipelineModel {
  private let failing: PipelineStep?
  private var isStarted = false
  private var isCancelled = false
  private var mayEnd: Set<PipelineStep> = []
  private var begun: [PipelineStep] = []
  private var result: String?

  static func subject(
    at first: PipelineStep? = nil, failing: PipelineStep? = nil, status: Int? = 404
  ) -> ModelledSubject<PipelineSubject, PipelineModel> {
    ModelledSubject(
      model: PipelineModel(at: first, failing: failing),
      { PipelineSubject(at: first, failing: failing, status: status) },
      end: { $0.end }, modelEnd: { $0.end }, tearDown: { $0.tearDown() })
  }

  private init(at first: PipelineStep?, failing: PipelineStep?) {
    self.failing = failing
    guard let first else { return }
    mayEnd = Set(PipelineStep.allCases.prefix { $0 != first })
    start()
  }

  static func text(called: [PipelineStep], results: [String]) -> String {
    "called: \(called.map { "\($0)" }), results: \(results)"
  }

  var end: String {
    Self.text(called: begun.filter { $0 != .download }, results: result.map { [$0] } ?? [])
  }

  mutating func start() {
    isStarted = true
    goOn()
  }

  mutating func cancel() {
    isCancelled = true
    if begun == [.download], result == nil { result = "cancelled" }
  }

  mutating func end(_ step: PipelineStep) {
    mayEnd.insert(step)
    goOn()
  }

  private mutating func goOn() {
    guard isStarted else { return }
    while result == nil {
      if let last = begun.last {
        guard mayEnd.contains(last) else { return }
        if last == failing {
          result = "\(last) has failed"
        } else if last == .save {
          result = "saved"
        }
        if result != nil { return }
      }
      if isCancelled {
        result = "cancelled"
      } else {
        begun.append(PipelineStep.allCases[begun.count])
      }
    }
  }
}
