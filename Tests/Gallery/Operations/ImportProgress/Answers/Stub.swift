// Page: make page KATA=ImportProgress (Docs/ConcurrencyKatas.docc/ImportProgress.md)

import Foundation

/// Counts the jobs of an import as they end, for a person to watch.
///
/// ```swift
/// let progress = ImportProgress(noticeQueue: .main) { report in
///   bar.value = report.fraction
///   label.text = "\(report.finished) of \(report.total)"
/// }
/// progress.add(downloads)
/// queue.addOperations(downloads, waitUntilFinished: false)
/// // … and where somebody chooses more photos, more is added …
/// progress.close()
/// ```
///
/// **What a person may rely on.** The bar never goes back, also where jobs are added and there is
/// suddenly more to do. It's full at the end, and not before: as long as the import is open, there may
/// be more to come. Nothing is told twice, so a full bar is told once.
///
/// A job counts when it has ended, in one way or another: whoever waits for a cancelled job would wait
/// for ever. Jobs may be in any queue or in several, or in none and started by hand.
///
/// Safe to use from every thread. Nobody is held, however long the notice queue is busy. Jobs are
/// counted to the end even if nobody holds the progress any more; when they have ended, it holds
/// neither them nor itself.
///
/// Your turn.
///
/// - A job must not know that it's counted. Something of yours has to happen when it has ended,
///   cancelled or not, also where it ended long ago: what does an operation that depends on it do?
/// - Jobs end on many threads. Count under a lock, and put the report into the notice queue's line
///   before you let go of it, or a later one may overtake it there.
/// - Compare with what was told last: the fraction mustn't be less, and a report that says the same
///   isn't told again. Where jobs were added, the share falls behind what was told: then let each end
///   add a part of what is left of the bar.
/// - As long as the import is open it must not be full, even when all that's known has ended. What if
///   you always expected one more?
///
/// Source: `ProgressReporting` and `Operation` in Apple's documentation.
public final class ImportProgress: Sendable {
  /// How far an import has come.
  public struct Report: Equatable, Sendable {
    /// How many jobs have ended, cancelled ones among them.
    public let finished: Int
    /// How many jobs there are, as far as is known.
    public let total: Int
    /// How much of a bar to fill, from 0 to 1.
    ///
    /// It begins at 0, and is never less than in an earlier report. It's 1 when the import is closed and
    /// all jobs have ended, and less until then. As long as the import is open, each job that ends adds
    /// to it, however many were added meanwhile. Once it's closed it is `finished / total`, or what it
    /// was before, where that's more.
    public let fraction: Double
  }

  private let noticeQueue: DispatchQueue
  private let onChange: @Sendable (Report) -> Void

  /// Creates the progress of an import that is open and has no jobs yet.
  ///
  /// - Parameters:
  ///   - noticeQueue: The serial queue that `onChange` is called on.
  ///   - onChange: Called with each new report, in the order of counting. Where the queue is busy,
  ///     reports that are out of date may be left out; the last one never is.
  public init(noticeQueue: DispatchQueue, onChange: @escaping @Sendable (Report) -> Void) {
    self.noticeQueue = noticeQueue
    self.onChange = onChange
  }

  /// The newest report, whether it has been told yet or not.
  ///
  /// Doesn't wait for the notice queue.
  public var current: Report {
    // TODO: Return what was counted last.
    Report(finished: 0, total: 0, fraction: 0)
  }

  /// Adds jobs to the import.
  ///
  /// Call it before or after they're added to a queue: those that have ended by now are counted when it
  /// returns. Their completion blocks aren't touched.
  ///
  /// - Parameter jobs: The jobs, none of which was added before.
  /// - Precondition: The import is open.
  public func add(_ jobs: [Operation]) {
    // TODO: Count them in, and see to it that each is counted when it has ended.
  }

  /// Closes the import: no more jobs are added, and when all have ended it's at its end.
  ///
  /// To close it again does nothing.
  public func close() {
    // TODO: From now on nothing more is expected.
  }
}
