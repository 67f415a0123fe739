/// The format of a report.
package enum ReportFormat: String, CaseIterable, Sendable {
  /// The shape of ``Report``.
  case json
  /// JUnit's XML, as CI servers read it.
  case junit
  /// Exercism's `results.json`, version 3, one for each kata.
  case exercism
}
