import Foundation
@testable import KataPictures
import Testing

@Suite struct TimelineEventTests {
  @Test(arguments: [
    ("?writer", TimelineEvent(who: "writer", kind: .asked)),
    ("+writer", TimelineEvent(who: "writer", kind: .entered)),
    ("-writer", TimelineEvent(who: "writer", kind: .left)),
    ("*writer|asks", TimelineEvent(who: "writer", kind: .mark("asks"))),
    (#"*a\|b\\|c|d\"#, TimelineEvent(who: #"a|b\"#, kind: .mark(#"c|d\"#))),
    ("+", TimelineEvent(who: "", kind: .entered)),
    ("*|", TimelineEvent(who: "", kind: .mark(""))),
    ("+\u{301}combining", TimelineEvent(who: "\u{301}combining", kind: .entered)),
    ("*👩‍👧|\u{301}\n<&>", TimelineEvent(who: "👩‍👧", kind: .mark("\u{301}\n<&>"))),
  ])
  func `an event is a string in a file`(text: String, event: TimelineEvent) throws {
    #expect(event.description == text)
    #expect(TimelineEvent(text) == event)
    let data = try JSONEncoder().encode([event])
    #expect(try JSONDecoder().decode([TimelineEvent].self, from: data) == [event])
    #expect(try JSONDecoder().decode([String].self, from: data) == [text])
  }

  @Test(arguments: ["", "writer", "*writer", #"*writer\|asks"#, #"*\"#])
  func `other strings are no events`(text: String) throws {
    #expect(TimelineEvent(text) == nil)
    let data = try JSONEncoder().encode([text])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([TimelineEvent].self, from: data)
    }
  }

  @Test func `the latest events begin with who is inside`() {
    let events = Self.events("+early", "+writer", "-writer", "+reader", "-reader", "-early")
    #expect(events.latest(6) == events)
    #expect(events.latest(4) == Self.events("+early", "+reader", "-reader", "-early"))
    #expect(events.latest(2) == Self.events("+early", "-early"))
  }

  @Test func `who asks goes in, waits no longer, or still waits`() {
    let events = Self.events(
      "?reader", "?late", "*late|calls", "?gone", "+reader", "-gone", "-reader")
    #expect(
      events.words == """
        In this order: reader asks; late asks; late: calls; gone asks; reader goes in; gone waits no longer; \
        reader comes out. Still waiting at the end: late.
        """)
  }

  @Test func `as many are inside as there is room for events`() {
    let events = (1...9).map { TimelineEvent(who: "reader \($0)", kind: .entered) }
    #expect(events.latest(4) == Array(events.suffix(4)))
  }

  @Test func `the words tell what happened in its order`() {
    #expect([TimelineEvent]().words == "Nothing happened.")
    #expect(
      Self.events("+writer", "*reader|asks", "+writer", "-writer").words
        == """
        In this order: writer goes in; reader: asks; writer goes in once more; writer comes out \
        once. Still inside at the end: writer.
        """)
    #expect(
      Self.events("+writer", "-writer").words
        == "In this order: writer goes in; writer comes out.")
  }

  private static func events(_ texts: String...) -> [TimelineEvent] {
    texts.compactMap(TimelineEvent.init)
  }
}
