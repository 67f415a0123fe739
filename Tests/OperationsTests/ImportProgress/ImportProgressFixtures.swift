import Foundation
import KataTesting
import Testing

/// Records the reports of an import, and whether they are delivered on the notice queue.
final class ProgressWatcher: Sendable, OpaqueMirror {
  let noticeQueue = DispatchQueue(label: "katas.spec.import-progress.notices")
  private let heard = LockedValue<[ImportProgress.Report]>([])
  private let strays = SharedCounter()

  /// A progress that is watched; `also` is called with each report after it was recorded.
  func progress(
    also: @escaping @Sendable (ImportProgress.Report) -> Void = { _ in }
  ) -> ImportProgress {
    let places = Places(["the notice queue": noticeQueue])
    return ImportProgress(noticeQueue: noticeQueue) { [self] report in
      if places.current == "elsewhere" { strays.increment() }
      heard.append(report)
      also(report)
    }
  }

  /// The reports so far, in the order of delivery.
  var reports: [ImportProgress.Report] { heard.value }
  /// How many of them were delivered elsewhere than on the notice queue.
  var heardElsewhere: Int { strays.value }
  /// How many reports said that the import is complete.
  var ends: Int { reports.count { $0.fraction >= 1 } }

  /// A sentence, and the reports so far, one a line.
  func showing(_ sentence: String) -> Comment {
    let list = reports.suffix(20).map {
      "\n  \($0.finished) of \($0.total), fraction \($0.fraction)"
    }
    return Comment(rawValue: "\(sentence)\n\(list.isEmpty ? "\n  (no report)" : list.joined())")
  }
}

// MARK: - Moves

extension ImportProgressTests {
  /// Jobs that have nothing to do.
  func jobs(_ count: Int) -> [Operation] { (0..<count).map { _ in BlockOperation {} } }

  /// A progress that is watched, with its first jobs.
  func progress(
    of jobs: [Operation], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ImportProgress {
    let progress = watcher.progress()
    try add(jobs, to: progress, sourceLocation: sourceLocation)
    return progress
  }

  func add(
    _ jobs: [Operation], to progress: ImportProgress,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try call("add", sourceLocation) { progress.add(jobs) }
  }

  func close(
    _ progress: ImportProgress, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try call("close", sourceLocation) { progress.close() }
  }

  /// Makes a call that must return, and waits until all that follows has happened.
  private func call(
    _ name: String, _ sourceLocation: SourceLocation, _ body: @escaping @Sendable () -> Void
  ) throws {
    try mustReturn(
      name, "It must return without waiting for the jobs or the notice queue.",
      sourceLocation: sourceLocation, body)
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Runs a job that is in no queue.
  func end(_ job: Operation, sourceLocation: SourceLocation = #_sourceLocation) {
    job.start()
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Compares the last report.
  func expectLast(
    _ finished: Int, of total: Int, fraction: Double? = nil, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let last = watcher.reports.last
    expect(
      last?.finished == finished && last?.total == total,
      "\(sentence) The last report must say \(finished) of \(total).", sourceLocation)
    guard let fraction, let last else { return }
    expect(
      abs(last.fraction - fraction) < 1e-9,
      "\(sentence) The import is closed, so the fraction must be \(fraction).", sourceLocation)
  }

  /// Expects that no number of a report has ever gone back.
  func expectNeverBack(sourceLocation: SourceLocation = #_sourceLocation) {
    let reports = watcher.reports
    for (report, next) in zip(reports, reports.dropFirst()) {
      expect(
        next.fraction >= report.fraction && next.finished >= report.finished
          && next.total >= report.total,
        """
        A report is smaller than an earlier one, so the bar went back. Report the largest fraction \
        so far, and submit reports to the notice queue while you hold the lock.
        """, sourceLocation)
      expect(
        next != report,
        "The same report was sent twice. Send a report only if it differs from the last one.",
        sourceLocation)
    }
    expect(
      reports.allSatisfy { (0...1).contains($0.fraction) && $0.finished <= $0.total },
      "A fraction must lie between 0 and 1, and no more jobs can have ended than were added.",
      sourceLocation)
  }

  private func expect(_ holds: Bool, _ sentence: String, _ sourceLocation: SourceLocation) {
    #expect(holds, watcher.showing(sentence), sourceLocation: sourceLocation)
  }
}
