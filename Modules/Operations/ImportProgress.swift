import Foundation
import Synchronization

/// Counts the jobs of an import as they end, for a progress bar.
///
/// ```swift
/// let progress = ImportProgress(noticeQueue: .main) { report in
///   bar.value = report.fraction
///   label.text = "\(report.finished) of \(report.total)"
/// }
/// progress.add(downloads)
/// queue.addOperations(downloads, waitUntilFinished: false)
/// // … and if the user chooses more photos, more jobs are added …
/// progress.close()
/// ```
///
/// - A job counts when it has ended, cancelled or not, and not before.
/// - Each job is counted as it ends, in whatever order; the progress starts none of them.
/// - Jobs may be in any queue or in several, or in none and started by hand.
/// - No call and no job waits for the notice queue, or for `onChange` to return.
/// - Every thread may use the progress, and several may use it at once.
/// - Jobs are counted and reports are delivered to the end, even if the caller releases the
///   progress.
/// - The progress doesn't retain a job that has ended. When all jobs have ended, it doesn't retain
///   itself either, even if it isn't closed.
///
/// Source: `ProgressReporting` and `Operation` in Apple's documentation.
public final class ImportProgress: Sendable {
  /// How far an import has come.
  public struct Report: Equatable, Sendable {
    /// How many jobs have ended, cancelled ones among them.
    public let finished: Int
    /// How many jobs were added so far.
    public let total: Int
    /// How much of a bar to fill, from 0 to 1.
    ///
    /// - `fraction` is never less than in an earlier report, even if jobs are added.
    /// - `fraction` is 1 when the import is closed and all jobs have ended, even if there are none,
    ///   and less until then.
    /// - As long as the import is open, `fraction` is 0 until a job ends, and each job that ends
    ///   adds to it, however many jobs were added meanwhile.
    /// - Once the import is closed, `fraction` is `finished / total`, or what it was before, if
    ///   that is more.
    public let fraction: Double
  }

  private let noticeQueue: DispatchQueue
  private let onChange: @Sendable (Report) -> Void
  /// Has an operation for each job, which waits for the job's end without blocking a thread.
  private let followers = OperationQueue()
  private let tally = Mutex(Tally())

  /// Creates the progress of an import that is open and has no jobs yet.
  ///
  /// - A new import has ended 0 of 0 jobs, and its `fraction` is 0.
  /// - `onChange` is called on the notice queue, in the order of counting.
  /// - `onChange` is called once with each new report: one that differs from the last in a count or
  ///   in `fraction`.
  /// - While the notice queue is busy, reports that are out of date may be left out; the last one
  ///   never is.
  ///
  /// - Parameters:
  ///   - noticeQueue: The serial queue that `onChange` is called on.
  ///   - onChange: Called with each new report.
  public init(noticeQueue: DispatchQueue, onChange: @escaping @Sendable (Report) -> Void) {
    self.noticeQueue = noticeQueue
    self.onChange = onChange
    followers.name = "katas.operations.import-progress"
  }

  /// How far the import has come.
  ///
  /// - `current` is the newest report, whether it has been delivered yet or not.
  public var current: Report { tally.withLock { $0.told } }

  /// Adds jobs to the import.
  ///
  /// - `add` may be called several times, even when jobs have ended, and `total` grows by the
  ///   number of new jobs.
  /// - `add` may be called before or after the jobs are in a queue, and returns without waiting for
  ///   them.
  /// - Jobs that had ended when `add` was called are counted when it returns.
  /// - The completion blocks of the jobs are left to the caller, who may set them at any time.
  ///
  /// The caller must not add a job twice, nor call `add` when the import is closed.
  ///
  /// - Parameter jobs: The jobs to count.
  public func add(_ jobs: [Operation]) {
    // A job that ends from here on is counted by its follower.
    let underWay = jobs.filter { !$0.isFinished }
    change { tally in
      precondition(!tally.isClosed, "\(jobs.count) jobs were added to an import that is closed")
      tally.total += jobs.count
      tally.finished += jobs.count - underWay.count
    }
    for job in underWay {
      let follower = BlockOperation { self.change { $0.finished += 1 } }
      follower.addDependency(job)
      followers.addOperation(follower)
    }
    // A queue on Linux may miss that an operation becomes ready while it's added: look again.
    followers.isSuspended = false
  }

  /// Closes the import: no more jobs are added, and it's complete when all have ended.
  ///
  /// - Closing it again does nothing.
  public func close() {
    change { $0.isClosed = true }
  }

  /// Counts, and submits the report if it's new.
  private func change(_ count: (inout Tally) -> Void) {
    tally.withLock { tally in
      count(&tally)
      let report = tally.report
      guard report != tally.told else { return }
      tally.told = report
      // Under the lock, so that reports are enqueued in the order of counting; `async` only
      // enqueues.
      noticeQueue.async { [onChange] in onChange(report) }
    }
  }
}

/// What has been counted.
private struct Tally: Sendable {
  var finished = 0
  var total = 0
  var isClosed = false
  var told = ImportProgress.Report(finished: 0, total: 0, fraction: 0)

  /// The report for these counts.
  var report: ImportProgress.Report {
    // While more jobs may come, one more is expected, so that the fraction stays below 1.
    let expected = isClosed ? total : total + 1
    let share = expected == 0 ? 1 : Double(finished) / Double(expected)
    return .init(finished: finished, total: total, fraction: max(share, told.fraction + step))
  }

  /// The least that an end adds while more jobs may come: a part of what is left of the bar.
  ///
  /// So the bar moves even if jobs were added and the share of those that have ended fell behind
  /// it.
  private var step: Double {
    guard !isClosed, finished > told.finished else { return 0 }
    return (1 - told.fraction) / Double(total + 1)
  }
}
