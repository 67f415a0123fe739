import Foundation
import KataTesting
import Testing

extension FinishOnceTests {
  // MARK: - Every schedule

  // Two things are left open. A call that comes too late may return before the first has ended the
  // operation, so only the first one's thread reads afterwards. And the answer may show before the
  // end, so no thread reads the two in this order.
  @Test(.observesKVO) func `in every schedule the first finish ends it, and all others are late`() {
    let atWork = [
      [[finish("a")], [finish("b")]],
      [[finish("a")], [isFinished, answer]],
      [[finish("a")], [isFinished, isExecuting]],
      [[finish("a")], [answer, answer]],
      [[finish("a")], [finish("b")], [finish("c")]],
      [[finish("a"), finish("b")], [finish("c")]],
      [[finish("a")], [finish("b")], [answer, answer]],
      [[finish("a")], [finish("b")], [isFinished, answer]],
      [[finish("a")], [cancel], [isExecuting]],
    ]
    let waiting = [
      [[start], [cancel]],
      [[start], [isExecuting]],
      [[start], [finish("a")], [finish("b")]],
      [[start], [cancel], [finish("a")]],
      [[start, finish("a")], [cancel]],
      [[cancel, start], [isExecuting, isFinished]],
    ]
    explore(
      atWork.map { Scenario(AnswerModel.subject(isStarted: true), threads: $0) }
        + waiting.map { Scenario(AnswerModel.subject(isStarted: false), threads: $0) })
  }

  // MARK: - Calls

  private typealias Call = ModelledCall<WatchedAnswer, AnswerModel>

  private var start: Call {
    Call("start()") {
      $0.job.operation.start()
    } model: {
      $0.start()
    }
  }

  private var cancel: Call {
    Call("cancel()") {
      $0.job.operation.cancel()
    } model: {
      $0.readings.isCancelled = true
    }
  }

  /// Calls `finish`; if it's the first, reads what it has ended.
  private func finish(_ answer: String) -> Call {
    Call("finish(\"\(answer)\")") {
      guard $0.job.finish(answer) else { return "late" }
      let operation = $0.job.operation
      return AnswerModel.firstResult(operation.isFinished, operation.answer)
    } model: {
      $0.finish(answer)
    }
  }

  private var isExecuting: Call {
    Call("isExecuting") {
      $0.job.operation.isExecuting
    } model: {
      $0.readings.isExecuting
    }
  }

  private var isFinished: Call {
    Call("isFinished") {
      $0.job.operation.isFinished
    } model: {
      $0.readings.isFinished
    }
  }

  private var answer: Call {
    Call("answer") {
      $0.job.operation.answer
    } model: {
      $0.readings.answer
    }
  }
}

/// What an operation shows in the end.
private struct AnswerReadings: CustomStringConvertible {
  var isExecuting = false
  var isFinished = false
  var isCancelled = false
  var answer: String?
  /// How often the work was called.
  var works = 0
  /// The answer at each announcement of the end.
  var announced: [String] = []
  var completionBlocks = 0

  var description: String {
    // Cancelled after its answer, it may say so or not.
    let isLeftOpen = isFinished && answer != nil
    return """
      isExecuting \(isExecuting), isFinished \(isFinished), \
      \(isLeftOpen ? "" : "isCancelled \(isCancelled), ")answer \(answer ?? "nil"), \
      work called \(times(works)), end announced with \(announced), \
      completionBlock called \(times(completionBlocks))
      """
  }
}

/// An operation and the announcements of its end.
private final class WatchedAnswer: Sendable, OpaqueMirror {
  let job = FirstAnswerJob()
  private let announced: LockedValue<[String]>
  private let probe: KVOProbe

  init(isStarted: Bool) {
    let announced = LockedValue<[String]>([])
    let operation = job.operation
    self.announced = announced
    probe = KVOProbe(operation) {
      guard $0 == .did(.isFinished), operation.isFinished else { return }
      announced.append(operation.answer ?? "nil")
    }
    if isStarted { operation.start() }
  }

  var readings: AnswerReadings {
    let operation = job.operation
    return AnswerReadings(
      isExecuting: operation.isExecuting, isFinished: operation.isFinished,
      isCancelled: operation.isCancelled, answer: operation.answer, works: job.begins.value,
      announced: announced.value, completionBlocks: job.completions.value)
  }
}

private struct AnswerModel {
  var readings = AnswerReadings()

  static func subject(isStarted: Bool) -> ModelledSubject<WatchedAnswer, AnswerModel> {
    var model = AnswerModel()
    if isStarted { model.start() }
    return ModelledSubject(
      model: model, { WatchedAnswer(isStarted: isStarted) },
      end: { $0.readings.description }, modelEnd: { $0.readings.description })
  }

  static func firstResult(_ isFinished: Bool, _ answer: String?) -> String {
    "first: isFinished \(isFinished), answer \(answer ?? "nil")"
  }

  mutating func start() {
    guard !readings.isCancelled else { return end(nil) }
    readings.isExecuting = true
    readings.works = 1
  }

  mutating func finish(_ answer: String) -> String {
    guard readings.isExecuting else { return "late" }
    end(answer)
    return Self.firstResult(true, answer)
  }

  private mutating func end(_ answer: String?) {
    readings.isExecuting = false
    readings.isFinished = true
    readings.answer = answer
    readings.announced = [answer ?? "nil"]
    readings.completionBlocks = 1
  }
}
