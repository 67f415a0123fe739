import Foundation
import KataTesting
import Testing

extension LatestOnlyTests {
  /// Asks on a thread of its own, and expects that a request is begun.
  func ask(
    _ query: String, _ searches: HandSearches, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = searches.queries.count
    try mustReturn("ask", sourceLocation: sourceLocation) { searches.ask(query) }
    runUntilQuiet(sourceLocation: sourceLocation)
    try #require(
      searches.queries.dropFirst(before) == [query],
      searches.timeline.showing(
        """
        "\(query)" was asked, so one request must have begun, even if the same was asked before; \
        here \(searches.queries.count - before) began.
        """),
      sourceLocation: sourceLocation)
  }

  func reply(
    _ number: Int, _ searches: HandSearches, _ answer: String = "hits",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn("reply", sourceLocation: sourceLocation) { searches.reply(number, answer) }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Expects that exactly this was delivered.
  func expectHeard(
    _ expected: [String], _ searches: HandSearches, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    runUntilQuiet(sourceLocation: sourceLocation)
    let heard = searches.heard.joined(separator: "; ")
    #expect(
      searches.heard == expected,
      searches.timeline.showing(
        "\(sentence) Delivered was \(heard.isEmpty ? "nothing" : "\"\(heard)\"")."),
      sourceLocation: sourceLocation)
  }

  /// Expects how often each request was cancelled.
  func expectCancellations(
    _ expected: [Int], _ searches: HandSearches, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      searches.cancellations == expected, searches.timeline.showing(sentence),
      sourceLocation: sourceLocation)
  }
}
