import Foundation
import KataTesting
import Testing

/// The lives of two operations in one queue, the second depending on the first, with cancellations.
struct LifeOfCancelledOperations: ScriptedModel {
  enum Move: Sendable, CustomStringConvertible {
    case add(Int), cancel(Int), finish(Int), suspend, resume

    var description: String {
      switch self {
      case .add(let index): "add the \(LifeOfCancelledOperations.names[index]) to the queue"
      case .cancel(let index): "cancel the \(LifeOfCancelledOperations.names[index])"
      case .finish(let index): "the work of the \(LifeOfCancelledOperations.names[index]) ends"
      case .suspend: "suspend the queue"
      case .resume: "resume the queue"
      }
    }
  }

  /// What an operation should be like.
  private struct Life {
    enum Phase { case waiting, executing, finished }

    var phase = Phase.waiting
    var isAdded = false
    var isCancelled = false
    var hasWorked = false
  }

  private static let names = ["first", "second (depends on the first)"]

  let timeline = Timeline()
  private let queue = OperationQueue()
  private let jobs: [CancellableJob]
  private var lives = [Life(), Life()]
  private var isSuspended = false

  init() {
    let timeline = timeline
    jobs = ["first", "second"].map { CancellableJob($0, on: timeline) }
    jobs[1].operation.addDependency(jobs[0].operation)
  }

  func moves() -> [Move] {
    var moves: [Move] = [isSuspended ? .resume : .suspend]
    for (index, life) in lives.enumerated() {
      if !life.isAdded { moves.append(.add(index)) }
      // A second cancellation is offered too; one after the end has a test of its own.
      if life.phase != .finished { moves.append(.cancel(index)) }
      if life.phase == .executing { moves.append(.finish(index)) }
    }
    return moves
  }

  mutating func make(_ move: Move) {
    switch move {
    case .add(let index):
      // If the answer is wrong from the beginning, the queue would trap; `broken()` says so.
      let isNew = !jobs[index].operation.isFinished
      if isNew { call("added", on: index) { [queue] in queue.addOperation($0.operation) } }
      lives[index].isAdded = true
    case .cancel(let index):
      call("cancelled", on: index) { $0.operation.cancel() }
      if lives[index].phase != .finished { lives[index].isCancelled = true }
    case .finish(let index):
      call("ends", on: index) { $0.endIfBegun() }
      if lives[index].phase == .executing { lives[index].phase = .finished }
    case .suspend, .resume:
      isSuspended.toggle()
      queue.isSuspended = isSuspended
    }
    settle()
  }

  /// Calls the answer on a thread of its own: it might not return.
  private func call(
    _ name: String, on index: Int, _ body: @escaping @Sendable (CancellableJob) -> Void
  ) {
    let job = jobs[index]
    timeline.mark(job.label, name)
    _ = TestThread(name) { body(job) }
  }

  /// Lets the queue start what it may start.
  private mutating func settle() {
    guard !isSuspended else { return }
    for index in lives.indices where lives[index].isAdded && lives[index].phase == .waiting {
      let isFree = index == 0 || lives[0].phase == .finished || lives[index].isCancelled
      guard isFree else { continue }
      lives[index].phase = lives[index].isCancelled ? .finished : .executing
      lives[index].hasWorked = !lives[index].isCancelled
    }
  }

  func broken() -> String? {
    guard let readings = readings() else {
      return "isExecuting or isFinished never returned. Is a lock never released?"
    }
    for (life, (job, reading)) in zip(lives, zip(jobs, readings)) {
      let works = timeline.entries(of: job.label)
      let isFinished = life.phase == .finished
      let promises: [(String, Any, Bool)] = [
        ("isCancelled is", reading.isCancelled, reading.isCancelled == life.isCancelled),
        ("isFinished is", reading.isFinished, reading.isFinished == isFinished),
        ("isExecuting is", reading.isExecuting, reading.isExecuting == (life.phase == .executing)),
        ("the number of calls of the work is", works, works == (life.hasWorked ? 1 : 0)),
        (
          "the number of calls of onCancel is", job.cancellations.count,
          job.cancellations.count == (life.isCancelled ? 1 : 0)
        ),
        ("the number of completions is", job.completions, job.completions == (isFinished ? 1 : 0)),
      ]
      if let (what, value, _) = promises.first(where: { !$0.2 }) {
        return """
          After these moves the \(job.label) operation is wrong: \(what) \(value).
          """
      }
    }
    return nil
  }

  /// What the operations say of themselves; nil if they never answer.
  private func readings() -> [(isCancelled: Bool, isExecuting: Bool, isFinished: Bool)]? {
    let reader = TestThread("reader") { [jobs] in
      jobs.map { job in
        let operation = job.operation
        return (
          isCancelled: operation.isCancelled, isExecuting: operation.isExecuting,
          isFinished: operation.isFinished
        )
      }
    }
    runUntilQuiet()
    return reader.hasReturned ? try? reader.result() : nil
  }
}
