import Foundation
import KataTesting
import Testing

extension SynchronousFinishTests {
  // MARK: - Every schedule

  // No thread reads after a `cancel()` or a `completion` that may have come during another call:
  // it may return while that call is still running.
  @Test(.observesKVO) func `in every schedule a start loads, or it was cancelled before`() {
    let threads = [
      [[start], [cancel]],
      [[start], [isExecuting]],
      [[start, complete(1)], [cancel]],
      [[cancel, start], [isExecuting, isFinished]],
    ]
    let threadsAtHand = [
      [[start], [cancel]],
      [[start], [isFinished, data]],
    ]
    explore(
      threads.map { Scenario(LoadModel.subject(.later), threads: $0) }
        + threadsAtHand.map { Scenario(LoadModel.subject(.atHand), threads: $0) })
  }

  // Not specified, and so not read in this order: whether the data may show before the end.
  @Test(.observesKVO) func `in every schedule the first data ends it, and is there at its end`() {
    let threads = [
      [[complete(1)], [complete(2)]],
      [[complete(1)], [data, data]],
      [[complete(1)], [isFinished, data]],
      [[complete(1)], [isFinished, isExecuting]],
      [[complete(1)], [cancel], [isExecuting]],
      [[complete(1), isExecuting, data], [cancel]],
    ]
    let subject = LoadModel.subject(.later, isStarted: true)
    explore(threads.map { Scenario(subject, threads: $0) })
  }

  // MARK: - Calls

  private typealias Call = ModelledCall<WatchedLoad, LoadModel>

  private var start: Call {
    Call("start()") {
      $0.operation.start()
    } model: {
      $0.start()
    }
  }

  private var cancel: Call {
    Call("cancel()") {
      $0.operation.cancel()
    } model: {
      $0.cancel()
    }
  }

  private func complete(_ number: Int) -> Call {
    Call("completion(\(number))") {
      $0.complete(number)
    } model: {
      $0.complete(number)
    }
  }

  private var isExecuting: Call {
    Call("isExecuting") {
      $0.operation.isExecuting
    } model: {
      $0.readings.isExecuting
    }
  }

  private var isFinished: Call {
    Call("isFinished") {
      $0.operation.isFinished
    } model: {
      $0.readings.isFinished
    }
  }

  private var data: Call {
    Call("data") {
      WatchedLoad.text($0.operation.data)
    } model: {
      $0.readings.data
    }
  }
}

/// What an operation shows in the end.
private struct LoadReadings: CustomStringConvertible {
  var isExecuting = false
  var isFinished = false
  var isCancelled = false
  var data = "nil"
  /// For each call of `cached` and `load`, whether the operation was executing.
  var closures: [Bool] = []
  var hasShownExecuting = false
  /// The different data that observers of the end found.
  var announced: Set<String> = []
  /// Whether it was finished when the completion returned whose data it has.
  var isEndedByCompletion = true
  var fault = "none"
  var completionBlocks = 0

  var description: String {
    // Cancelled after its data, it may say so or not.
    let isLeftOpen = isFinished && data != "nil"
    return """
      isExecuting \(isExecuting), isFinished \(isFinished), \
      \(isLeftOpen ? "" : "isCancelled \(isCancelled), ")data \(data), \
      executing inside cached and load \(closures), ever shown executing \(hasShownExecuting), \
      data when its end was announced \(announced.sorted()), \
      ended when its completion returned \(isEndedByCompletion), fault of its notices \(fault), \
      completionBlock called \(times(completionBlocks))
      """
  }
}

/// An operation, with its notices and the closures it has called.
private final class WatchedLoad: Sendable, OpaqueMirror {
  var operation: CachedLoadOperation { job.operation }
  private let job: CachedLoadJob
  private let probe: KVOProbe
  private let closures: LockedValue<[Bool]>
  private let announced: LockedValue<Set<String>>
  /// The data whose completion returned before the operation was finished.
  private let late = LockedValue<[String]>([])

  init(_ arrival: DataArrival, isStarted: Bool) {
    let closures = LockedValue<[Bool]>([])
    let announced = LockedValue<Set<String>>([])
    let job = CachedLoadJob(arrival) { closures.append($0.isExecuting) }
    let operation = job.operation
    probe = KVOProbe(operation) {
      guard $0 == .did(.isFinished), operation.isFinished else { return }
      let text = Self.text(operation.data)
      announced.withLock { _ = $0.insert(text) }
    }
    (self.job, self.closures, self.announced) = (job, closures, announced)
    if isStarted { operation.start() }
  }

  static func text(_ data: Data?) -> String {
    data.map { String(decoding: $0, as: UTF8.self) } ?? "nil"
  }

  func complete(_ number: Int) {
    let data = Data("\(number)".utf8)
    job.deliver(data)
    if !operation.isFinished { late.append(Self.text(data)) }
  }

  var readings: LoadReadings {
    let (notices, data) = (probe.notices, Self.text(operation.data))
    let hasShownExecuting = notices.contains(where: \.isExecuting)
    return LoadReadings(
      isExecuting: operation.isExecuting, isFinished: operation.isFinished,
      isCancelled: operation.isCancelled, data: data, closures: closures.value,
      hasShownExecuting: hasShownExecuting, announced: announced.value,
      isEndedByCompletion: !late.value.contains(data),
      fault: (hasShownExecuting ? NoticedLife(notices: notices).fault : nil) ?? "none",
      completionBlocks: job.completions.value)
  }
}

private struct LoadModel {
  let arrival: DataArrival
  private(set) var readings = LoadReadings()

  static func subject(
    _ arrival: DataArrival, isStarted: Bool = false
  ) -> ModelledSubject<WatchedLoad, LoadModel> {
    var model = LoadModel(arrival: arrival)
    if isStarted { model.start() }
    return ModelledSubject(
      model: model, { WatchedLoad(arrival, isStarted: isStarted) },
      end: { $0.readings.description }, modelEnd: { $0.readings.description })
  }

  mutating func start() {
    guard !readings.isCancelled else { return end("nil") }
    readings.isExecuting = true
    readings.hasShownExecuting = true
    readings.closures = arrival == .atHand ? [true] : [true, true]
    if arrival == .atHand { end(WatchedLoad.text(CachedLoadJob.data)) }
  }

  mutating func cancel() { readings.isCancelled = true }

  mutating func complete(_ number: Int) {
    if readings.isExecuting { end("\(number)") }
  }

  private mutating func end(_ data: String) {
    readings.isExecuting = false
    readings.isFinished = true
    readings.data = data
    readings.announced = [data]
    readings.completionBlocks = 1
  }
}
