import Foundation
import KataTesting
import Testing

extension ImportProgressTests {
  // MARK: - Every schedule

  @Test func `in every schedule each job counts once, and no report goes back`() {
    let add = ImportModelledCall("add(job)") {
      $0.add(.job)
    } model: {
      $0.add(.job)
    }
    let addMore = ImportModelledCall("add(ended, waiting)") {
      $0.add(.ended, .waiting)
    } model: {
      $0.add(.ended, .waiting)
    }
    let end = ImportModelledCall("end of job") {
      $0.endJob()
    } model: {
      $0.endJob()
    }
    let close = ImportModelledCall("close()") {
      $0.close()
    } model: {
      $0.close()
    }
    let current = ImportModelledCall("current") {
      $0.read()
    } model: { _ in
      "possible"
    }
    // No job is added to an import that may be closed by then.
    let threads = [
      [[add], [end]],
      [[add, close], [end]],
      [[addMore], [current]],
      [[add], [end], [addMore]],
      [[add, close], [end], [current]],
      [[addMore], [addMore], [current]],
      [[addMore, addMore], [current, current]],
      [[add, end], [addMore, current]],
      [[end, add, close], [current, current]],
      [[close], [close]],
    ]
    let subject = ModelledSubject(
      model: ImportModel(), { RecordedImport() }, end: { $0.summary }, modelEnd: { $0.summary },
      tearDown: { $0.tearDown() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

private typealias ImportModelledCall = ModelledCall<RecordedImport, ImportModel>

private enum ImportJob {
  /// Ends in a call of its own.
  case job
  /// Has ended before it's added.
  case ended
  /// Hasn't ended when the run is over.
  case waiting
}

/// An import, its jobs, and a record of its reports.
private final class RecordedImport: Sendable, OpaqueMirror {
  private struct Counts {
    var finished = 0
    var total = 0
    var fraction = 0.0

    /// Whether each number is at least as large.
    func reaches(_ other: Counts) -> Bool {
      finished >= other.finished && total >= other.total && fraction >= other.fraction
    }
  }

  /// Limits of what a report can say.
  private struct Bounds {
    /// Of calls that have begun.
    var most = Counts(fraction: 1)
    /// Of calls that have returned.
    var least = Counts()
    /// The largest numbers that were read.
    var seen = Counts()
  }

  private let watcher = ProgressWatcher()
  private let progress: ImportProgress
  private let job = BlockOperation {}
  private let waiting = LockedValue<[Operation]>([])
  private let bounds = LockedValue(Bounds())
  private let isClosing = LockedValue(false)
  private let fullTooEarly = SharedCounter()

  init() {
    progress = watcher.progress { [isClosing, fullTooEarly] report in
      if report.fraction >= 1, !isClosing.value { fullTooEarly.increment() }
    }
  }

  func add(_ kinds: ImportJob...) {
    let jobs = kinds.map { kind in
      if kind == .job { return job }
      let other = BlockOperation {}
      if kind == .ended { other.start() } else { waiting.append(other) }
      return other
    }
    let ended = jobs.count { $0.isFinished }
    bounds.withLock {
      $0.most.total += jobs.count
      $0.most.finished += kinds.count { $0 != .waiting }
    }
    progress.add(jobs)
    bounds.withLock {
      $0.least.total += jobs.count
      $0.least.finished += ended
    }
  }

  func endJob() { job.start() }

  func close() {
    isClosing.set(true)
    progress.close()
  }

  /// Reads `current`, and says whether it can be the newest report.
  ///
  /// Whether an `add` shows its jobs one by one is left open.
  func read() -> String {
    let before = bounds.value
    let report = progress.current
    let read = Counts(finished: report.finished, total: report.total, fraction: report.fraction)
    let isPossible = bounds.withLock { bounds in
      bounds.seen.finished = max(bounds.seen.finished, read.finished)
      bounds.seen.total = max(bounds.seen.total, read.total)
      bounds.seen.fraction = max(bounds.seen.fraction, read.fraction)
      return read.reaches(before.least) && read.reaches(before.seen) && bounds.most.reaches(read)
    }
    return isPossible && read.finished <= read.total && (read.fraction < 1 || isClosing.value)
      ? "possible" : "\(read.finished) of \(read.total), fraction \(read.fraction)"
  }

  func tearDown() {
    for job in [job] + waiting.value where !job.isFinished { job.start() }
  }

  // MARK: - In the end

  var summary: String {
    let last = progress.current
    let state = ImportModel.summary(
      last.finished, of: last.total, isFull: last.fraction >= 1 && watcher.ends == 1)
    return state + (complaint.map { ", but \($0)" } ?? "")
  }

  /// Reports that are out of date may be left out, so it's left open which were delivered.
  private var complaint: String? {
    let reports = watcher.reports
    if let last = reports.last, last != progress.current { return "the last report is another" }
    if fullTooEarly.value > 0 { return "a report was full before close() was called" }
    if reports.contains(where: { $0.finished > $0.total }) {
      return "in a report more jobs had ended than were added"
    }
    for (report, next) in zip(reports, reports.dropFirst()) {
      if report == next { return "a report was sent twice" }
      guard report.finished <= next.finished, report.total <= next.total,
        report.fraction <= next.fraction
      else { return "a report was smaller than the one before" }
      if report.finished < next.finished, report.fraction == next.fraction, !isClosing.value {
        return "a job ended and added nothing to the fraction"
      }
    }
    return nil
  }
}

private struct ImportModel: Sendable {
  private var finished = 0
  private var total = 0
  private var isClosed = false
  private var isAdded = false
  private var hasEnded = false

  mutating func add(_ kinds: ImportJob...) {
    total += kinds.count
    finished += kinds.count { $0 == .ended || $0 == .job && hasEnded }
    isAdded = isAdded || kinds.contains(.job)
  }

  mutating func endJob() {
    hasEnded = true
    if isAdded { finished += 1 }
  }

  mutating func close() { isClosed = true }

  var summary: String {
    Self.summary(finished, of: total, isFull: isClosed && finished == total)
  }

  static func summary(_ finished: Int, of total: Int, isFull: Bool) -> String {
    "\(finished) of \(total)\(isFull ? ", full" : "")"
  }
}
