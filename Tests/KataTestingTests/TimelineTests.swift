import Testing

@testable import KataTesting

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
