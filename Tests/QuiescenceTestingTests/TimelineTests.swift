import Foundation
import KataPictures
import Testing

@testable import QuiescenceTesting

@Suite struct TimelineTests {
  private let timeline = Timeline()

  @Test func `two that are inside at once overlap`() {
    timeline.enter("writer")
    timeline.enter("reader")
    timeline.leave("reader")
    timeline.leave("writer")
    #expect(timeline.overlapped("writer", "reader"))
    #expect(timeline.overlapped("reader", "writer"))
    #expect(timeline.largestNumberInside == 2)
    #expect(timeline.orderOfEntry == ["writer", "reader"])
    #expect(timeline.orderOfLeaving == ["reader", "writer"])
  }

  @Test func `two that are inside one after the other don't overlap`() {
    timeline.visit("writer") {}
    timeline.visit("reader") {}
    #expect(!timeline.overlapped("writer", "reader"))
    #expect(timeline.largestNumberInside == 1)
    #expect(timeline.inside.isEmpty)
  }

  @Test func `one name twice at once overlaps with itself`() {
    timeline.visit("worker") {}
    timeline.visit("worker") {}
    #expect(!timeline.overlapped("worker", "worker"))
    timeline.enter("worker")
    timeline.enter("worker")
    #expect(timeline.overlapped("worker", "worker"))
    #expect(timeline.inside == ["worker", "worker"])
    #expect(timeline.entries(of: "worker") == 4)
  }

  @Test func `a body that throws is left`() {
    struct Oops: Error {}
    #expect(throws: Oops.self) { try timeline.visit("worker") { throw Oops() } }
    #expect(!timeline.isInside("worker"))
  }

  @Test func `the picture has a row for each participant`() {
    timeline.enter("writer")
    timeline.enter("reader")
    timeline.leave("reader")
    timeline.leave("writer")
    timeline.mark("notice", "delivered")
    #expect(
      timeline.drawing == """
          writer  ├──────────────┤
          reader       ├────┤
          notice                      ●  delivered
        """)
  }

  @Test func `who is still inside has no end in the picture`() {
    timeline.enter("writer")
    timeline.enter("reader")
    #expect(
      timeline.drawing == """
          writer  ├─────────…
          reader       ├────…
        """)
  }

  @Test func `who asks waits until it is inside`() throws {
    try timeline.asks("reader") {}.result()
    timeline.enter("writer")
    timeline.mark("writer", "adds")
    timeline.enter("reader")
    timeline.leave("reader")
    timeline.ask("late")
    #expect(
      timeline.drawing == """
          reader  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
          writer       ├────●───────────────────…  adds
          late                             ┆┄┄┄┄…
        """)
    #expect(timeline.inside == ["writer"])
    #expect(timeline.orderOfEntry == ["writer", "reader"])
  }

  @Test func `who gives up waits no longer`() {
    timeline.ask("reader")
    timeline.visit("writer") {}
    timeline.leave("reader")
    timeline.enter("writer")
    #expect(
      timeline.drawing == """
          reader  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┤
          writer       ├────┤         ├────…
        """)
  }

  @Test func `an empty timeline says so`() {
    #expect(timeline.drawing == "  (nothing happened)")
  }

  @Test(arguments: [40, 60, 80]) func `a long record fits the width`(width: Int) {
    for round in 0..<50 { timeline.visit("a participant \(round % 3)") {} }
    let lines = TimelineDrawing(timeline.events).text(width: width).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= width })
    #expect(lines.first?.contains("earlier events not shown") == true)
    #expect(lines.count == 4)
  }

  @Test func `a comment shows the sentence and the picture`() {
    timeline.visit("writer") {}
    #expect(
      timeline.showing("It broke.").rawValue == """
        It broke.

          writer  ├────┤
        """)
  }
}

@Suite(.serialized, .quiescence) struct ExpectedTimelineTests {
  private let timeline = Timeline()

  @Test func `what happens as expected passes, whatever stands in front of its rows or behind`() {
    let gate = Gate()
    timeline.asks("reader") { [timeline] in timeline.visit("reader", until: gate) }
    #expect(timeline.expect("reader  ┆┄┄┄┄├────…", "It's inside."))
    gate.open()
    #expect(timeline.expect("\n    reader  ┆┄┄┄┄├────┤   \n", "It's out."))
  }

  @Test func `what differs is shown beside what was expected`() {
    timeline.enter("writer")
    withKnownIssue {
      #expect(
        !timeline.expect(
          """
          writer  ├────┤
          reader       ●  asks
          """, "The writer stayed."))
    } matching: { issue in
      issue.comments.map(\.rawValue) == [
        """
        The writer stayed.

        It should look like this:

          writer  ├────┤
          reader       ●  asks

        It was:

          writer  ├────…
        """
      ]
    }
  }

  @Test func `only the first difference is reported`() {
    timeline.visit("writer") {}
    withKnownIssue { timeline.expect("writer  ├────…", "It's inside.") }
    #expect(!timeline.expect("reader  ├────┤", "Another one."))
    #expect(timeline.expect("writer  ├────┤", "It's out."))
  }

  @Test func `what happened is drawn as wide as what was expected`() {
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] { timeline.visit(name) {} }
    withKnownIssue {
      timeline.expect("a  ├────┤", "Nobody else.")
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.contains("  g" + String(repeating: " ", count: 62) + "├────┤")
      }
    }
  }

  @Test func `a long timeline is compared as a whole`() {
    for _ in 1...40 { timeline.visit("a") {} }
    let whole = "a  " + String(repeating: "├────┤    ", count: 40)
    #expect(timeline.expect(whole, "All of it."))
    withKnownIssue { timeline.expect(String(whole.dropLast(10)), "One visit fewer.") }
  }
}
