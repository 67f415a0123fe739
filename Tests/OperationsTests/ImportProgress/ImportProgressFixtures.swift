import Foundation
import KataTesting
import Testing

/// Hears the reports of an import, and where it hears them.
final class ProgressWatcher: Sendable, OpaqueMirror {
  let noticeQueue = DispatchQueue(label: "katas.spec.import-progress.notices")
  private let key = DispatchSpecificKey<Bool>()
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var heard: [ImportProgress.Report] = []
  private nonisolated(unsafe) var strays = 0  // Safe: as above.

  init() {
    noticeQueue.setSpecific(key: key, value: true)
  }

  /// A progress that is watched; `also` is called with each report, after it was noted.
  func progress(
    also: @escaping @Sendable (ImportProgress.Report) -> Void = { _ in }
  ) -> ImportProgress {
    ImportProgress(noticeQueue: noticeQueue) { [self] report in
      let isThere = DispatchQueue.getSpecific(key: key) == true
      lock.withLock {
        heard.append(report)
        if !isThere { strays += 1 }
      }
      also(report)
    }
  }

  /// The reports so far, in the order of hearing.
  var reports: [ImportProgress.Report] { lock.withLock { heard } }
  /// How many of them were heard anywhere but on the notice queue.
  var heardElsewhere: Int { lock.withLock { strays } }
  /// How often it was said that the import is at its end.
  var ends: Int { reports.count { $0.fraction >= 1 } }

  /// A sentence, and the reports so far, one a line.
  func showing(_ sentence: String) -> Comment {
    let lines = reports.suffix(20).map {
      "  \($0.finished) of \($0.total), fraction \($0.fraction)"
    }
    let list = lines.isEmpty ? "  (no report)" : lines.joined(separator: "\n")
    return Comment(rawValue: "\(sentence)\n\n\(list)")
  }
}

/// The progress that whoever is told of a report asks for its newest one, or adds jobs to.
final class AskedProgress: Sendable {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) weak var progress: ImportProgress?

  func `is`(_ progress: ImportProgress) { lock.withLock { self.progress = progress } }
  func ask() { _ = lock.withLock { progress }?.current }
  func add(_ jobs: [Operation]) { lock.withLock { progress }?.add(jobs) }
}

// MARK: - Moves

extension ImportProgressTests {
  /// Jobs that have nothing to do.
  func jobs(_ count: Int) -> [Operation] { (0..<count).map { _ in BlockOperation {} } }

  /// Adds jobs, on a thread that must come back.
  func add(
    _ jobs: [Operation], to progress: ImportProgress,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(
      "add", "It must wait neither for the jobs nor for the notice queue.",
      sourceLocation: sourceLocation
    ) { progress.add(jobs) }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  func close(
    _ progress: ImportProgress, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(
      "close", "It must wait neither for the jobs nor for the notice queue.",
      sourceLocation: sourceLocation
    ) { progress.close() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Lets a job, which is in no queue, live to its end.
  func end(_ job: Operation, sourceLocation: SourceLocation = #_sourceLocation) {
    job.start()
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Expects what was heard last.
  func expectLast(
    _ finished: Int, of total: Int, fraction: Double? = nil, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let last = watcher.reports.last
    #expect(
      last?.finished == finished && last?.total == total,
      watcher.showing("\(sentence) The last report must say \(finished) of \(total)."),
      sourceLocation: sourceLocation)
    guard let fraction, let last else { return }
    #expect(
      abs(last.fraction - fraction) < 1e-9,
      watcher.showing(
        "\(sentence) The import is closed, so the fraction must be \(fraction)."),
      sourceLocation: sourceLocation)
  }

  /// Expects that nothing a person watches has ever gone back.
  func expectNeverBack(sourceLocation: SourceLocation = #_sourceLocation) {
    let reports = watcher.reports
    for (report, next) in zip(reports, reports.dropFirst()) {
      #expect(
        next.fraction >= report.fraction && next.finished >= report.finished
          && next.total >= report.total,
        watcher.showing(
          """
          A report was told after one that said more, so the bar went back. Tell the largest \
          fraction so far, and put reports in line while you hold the lock.
          """), sourceLocation: sourceLocation)
      #expect(
        next != report,
        watcher.showing("The same was told twice: tell a report only if it says something new."),
        sourceLocation: sourceLocation)
    }
    #expect(
      reports.allSatisfy { (0...1).contains($0.fraction) && $0.finished <= $0.total },
      watcher.showing(
        "A fraction lies between 0 and 1, and no more jobs can have ended than there are."),
      sourceLocation: sourceLocation)
  }
}
