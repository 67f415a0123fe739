// Page: make page KATA=ImportProgress (Docs/ConcurrencyKatas.docc/ImportProgress.md)

import Foundation

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
/// Your turn.
///
/// - A job doesn't know that it's counted. To learn of its end, add an operation of your own that
///   depends on it: that runs when the job has finished, cancelled or not, or at once if it
///   finished long ago.
/// - Jobs end on several threads. Count under a lock, and submit the report to the notice queue
///   with `async` before you unlock, or a later report may overtake it.
/// - Compare each report with the last one: the fraction mustn't be smaller, and an equal report
///   isn't sent. When jobs are added, the share of ended jobs may fall behind the last fraction.
///   Until it has caught up, let each end add a part of what is left of the bar. If that part is
///   always a half, a `Double` is 1 after 54 ends, so make it smaller as `total` grows.
/// - While the import is open the bar must not be full, even if all known jobs have ended. Always
///   expect one more.
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
  }

  /// How far the import has come.
  ///
  /// - `current` is the newest report, whether it has been delivered yet or not.
  public var current: Report {
    // TODO: Return the last report.
    Report(finished: 0, total: 0, fraction: 0)
  }

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
    // TODO: Add them to the total, and count each of them when it has ended.
  }

  /// Closes the import: no more jobs are added, and it's complete when all have ended.
  ///
  /// - Closing it again does nothing.
  public func close() {
    // TODO: From now on no more jobs are expected.
  }
}
