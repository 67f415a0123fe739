import Foundation

// A right answer: an operation for each job, counted on a serial queue, and no more than one block
// in the notice queue at a time. The block reports the newest state when it runs, so a busy main
// queue isn't flooded.

public final class ImportProgress: Sendable {
  public struct Report: Equatable, Sendable {
    public let finished: Int
    public let total: Int
    public let fraction: Double
  }

  private let noticeQueue: DispatchQueue
  private let onChange: @Sendable (Report) -> Void
  private let waiters = OperationQueue()
  private let counting = DispatchQueue(label: "katas.answers.import-progress")
  // Safe: used on `counting` alone.
  private nonisolated(unsafe) var finished = 0
  private nonisolated(unsafe) var total = 0  // Safe: as above.
  private nonisolated(unsafe) var isOpen = true  // Safe: as above.
  private nonisolated(unsafe) var newest = Report(finished: 0, total: 0, fraction: 0)
  private nonisolated(unsafe) var told = Report(finished: 0, total: 0, fraction: 0)
  private nonisolated(unsafe) var isInLine = false  // Safe: as above.

  public init(noticeQueue: DispatchQueue, onChange: @escaping @Sendable (Report) -> Void) {
    self.noticeQueue = noticeQueue
    self.onChange = onChange
  }

  public var current: Report { counting.sync { newest } }

  public func add(_ jobs: [Operation]) {
    let waiting = jobs.filter { !$0.isFinished }
    counting.sync {
      total += jobs.count
      finished += jobs.count - waiting.count
      update()
    }
    for job in waiting {
      let group = DispatchGroup()
      group.enter()
      let waiter = BlockOperation { group.leave() }
      waiter.addDependency(job)
      group.notify(queue: counting) {
        self.finished += 1
        self.update()
      }
      waiters.addOperation(waiter)
    }
  }

  public func close() {
    counting.sync {
      isOpen = false
      update()
    }
  }

  private func update() {
    let isAtItsEnd = !isOpen && finished == total
    let share = total == 0 ? 0 : Double(finished) / Double(total)
    // While the import is open, the bar isn't full, but each job moves it a little.
    let move = isOpen && finished > newest.finished ? (1 - newest.fraction) / Double(total + 1) : 0
    let shown = max(isOpen ? share * 0.9 : share, newest.fraction + move)
    newest = Report(
      finished: finished, total: total,
      fraction: isAtItsEnd ? 1 : shown)
    guard newest != told, !isInLine else { return }
    isInLine = true
    noticeQueue.async {
      let report = self.counting.sync {
        self.isInLine = false
        self.told = self.newest
        return self.newest
      }
      self.onChange(report)
    }
  }
}
