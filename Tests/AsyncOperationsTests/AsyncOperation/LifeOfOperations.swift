import Foundation
import KataTesting
import Testing

/// The lives of three operations in one queue, the second depending on the first.
struct LifeOfOperations: ScriptedModel {
  enum Move: Sendable, CustomStringConvertible {
    case add(Int), cancel(Int), finish(Int), suspend, resume

    var description: String {
      switch self {
      case .add(let index): "add \(LifeOfOperations.names[index]) to the queue"
      case .cancel(let index): "cancel \(LifeOfOperations.names[index])"
      case .finish(let index): "finish \(LifeOfOperations.names[index])"
      case .suspend: "suspend the queue"
      case .resume: "resume the queue"
      }
    }
  }

  /// The expected state of an operation.
  private struct Life {
    enum Phase { case waiting, executing, finished }

    var phase = Phase.waiting
    var isAdded = false
    var isCancelled = false
    var hasWorked = false
  }

  private static let names = ["first", "second, which depends on first", "third"]

  let timeline = Timeline()
  private let queue = OperationQueue()
  private let works: [Work]
  private var lives = [Life](repeating: Life(), count: 3)
  private var isSuspended = false
  /// Whether `finish()` is called before the start, too.
  private let finishesEarly: Bool

  init() { self.init(finishesEarly: false) }

  init(finishesEarly: Bool) {
    self.finishesEarly = finishesEarly
    let timeline = timeline
    works = ["first", "second", "third"].map { Work($0, on: timeline) }
    works[1].addDependency(works[0])
  }

  func moves() -> [Move] {
    var moves: [Move] = [isSuspended ? .resume : .suspend]
    for (index, life) in lives.enumerated() {
      if !life.isAdded { moves.append(.add(index)) }
      if !life.isCancelled, life.phase != .finished { moves.append(.cancel(index)) }
      if life.phase != .waiting || finishesEarly { moves.append(.finish(index)) }
    }
    return moves
  }

  mutating func make(_ move: Move) {
    switch move {
    case .add(let index):
      // In a wrong answer the queue might trap; `broken()` reports it instead.
      let isAsItShouldBe = !works[index].isFinished && works[index].isReady == isFree(index)
      if isAsItShouldBe { call("add", on: index) { [queue] in queue.addOperation($0) } }
      lives[index].isAdded = true
    case .cancel(let index):
      call("cancel", on: index) { $0.cancel() }
      lives[index].isCancelled = true
    case .finish(let index):
      call("finish", on: index) { $0.finish() }
      if lives[index].phase == .executing { lives[index].phase = .finished }
    case .suspend, .resume:
      isSuspended.toggle()
      queue.isSuspended = isSuspended
    }
    settle()
  }

  /// Calls the answer on a thread of its own, since it might not return.
  private func call(_ name: String, on index: Int, _ body: @escaping @Sendable (Work) -> Void) {
    let work = works[index]
    timeline.mark(work.label, name)
    _ = TestThread(name) { body(work) }
  }

  /// Starts the operations that the queue may start.
  private mutating func settle() {
    guard !isSuspended else { return }
    for index in lives.indices where lives[index].isAdded && lives[index].phase == .waiting {
      guard isFree(index) else { continue }
      lives[index].phase = lives[index].isCancelled ? .finished : .executing
      lives[index].hasWorked = !lives[index].isCancelled
    }
  }

  func broken() -> String? {
    guard let readings = readings() else {
      return "isExecuting, isFinished or isReady never returned. Is a lock never released?"
    }
    for (index, (work, reading)) in zip(works, readings).enumerated() {
      let life = lives[index]
      let mains = timeline.entries(of: work.label)
      let completions = timeline.completions(of: work.label)
      let isFinished = life.phase == .finished
      let promises: [(String, Any, Bool)] = [
        ("isCancelled is", work.isCancelled, work.isCancelled == life.isCancelled),
        ("isFinished is", reading.isFinished, reading.isFinished == isFinished),
        ("isExecuting is", reading.isExecuting, reading.isExecuting == (life.phase == .executing)),
        ("isReady is", reading.isReady, life.phase != .waiting || reading.isReady == isFree(index)),
        ("the number of calls of main() is", mains, mains == (life.hasWorked ? 1 : 0)),
        ("the number of completions is", completions, completions == (isFinished ? 1 : 0)),
      ]
      if let (what, value, _) = promises.first(where: { !$0.2 }) {
        return """
          For the \(work.label) operation \(what) \(value), which is wrong after these moves.
          """
      }
    }
    return nil
  }

  /// Whether only its queue keeps an operation from starting.
  private func isFree(_ index: Int) -> Bool {
    index != 1 || lives[0].phase == .finished || lives[1].isCancelled
  }

  /// The operations' properties; nil if a getter never returns.
  private func readings() -> [(isExecuting: Bool, isFinished: Bool, isReady: Bool)]? {
    let reader = TestThread("reader") { [works] in
      works.map { (isExecuting: $0.isExecuting, isFinished: $0.isFinished, isReady: $0.isReady) }
    }
    return reader.isBlocked() ? nil : try? reader.result()
  }
}

/// The lives of three operations, some of which are finished before their start.
struct LivesWithEarlyEnds: ScriptedModel {
  private var lives = LifeOfOperations(finishesEarly: true)

  var timeline: Timeline { lives.timeline }

  func moves() -> [LifeOfOperations.Move] { lives.moves() }
  mutating func make(_ move: LifeOfOperations.Move) { lives.make(move) }
  func broken() -> String? { lives.broken() }
}
