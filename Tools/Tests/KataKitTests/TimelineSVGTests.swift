import Foundation
import Testing

@testable import KataPictures

@Suite struct TimelineSVGTests {
  /// Timelines of all kinds, by what is special about them.
  static let samples: [String: [TimelineEvent]] = [
    "empty": [],
    "an overlap": events("+writer", "+reader 1", "-reader 1", "-writer", "+reader 2"),
    "waiting": events("+writer", "?reader", "-writer", "+reader", "?late", "-reader"),
    "twice inside": events("+a", "+a", "+a", "-a", "-a", "-a", "+b", "+b"),
    "more leave than enter": events("-a", "-a", "+b"),
    "marks": events("*writer|asks", "+writer", "*reader|asks", "-writer", "+reader"),
    "many marks": (1...24).map {
      TimelineEvent(who: "job \($0 % 3)", kind: .mark("reported \($0) of 24"))
    },
    "long marks": (1...5).map { _ in
      TimelineEvent(
        who: "a participant with a name that is long",
        kind: .mark("a mark that says very much more than a reader would like to see in a picture"))
    },
    "one long word": events("*a|\(String(repeating: "abc", count: 60))", "+\(name)"),
    "many participants": (1...14).map { TimelineEvent(who: "reader \($0)", kind: .entered) },
    "a long record": (1...200).flatMap {
      [
        TimelineEvent(who: "reader \($0 % 4)", kind: .entered),
        TimelineEvent(who: "reader \($0 % 4)", kind: .left),
      ]
    },
    "names that need care": events("+<b>&\"'", "*👩‍👧‍👦|]]> & <script>", "+日本語", "+a\u{1}b"),
    "nothing but spaces": events("+ ", "* |", "*a| "),
  ]
  private static let name = String(repeating: "x", count: 80)

  @Test(arguments: samples.keys.sorted(), TimelineSVG.Scheme.allCases)
  func `the picture is a document that stands alone`(
    sample: String, scheme: TimelineSVG.Scheme
  ) throws {
    let events = try #require(Self.samples[sample])
    let title = "A \"title\" with <tags> & signs"
    let svg = try XMLReader.read(TimelineSVG(events: events, title: title, scheme: scheme).text)
    #expect(svg.name == "svg")
    #expect(svg.attributes["role"] == "img")
    #expect(svg.children.first?.name == "title" && svg.children.first?.text == title)
    #expect(svg.all("desc").map(\.text) == [events.words.replacing("\u{1}", with: "\u{FFFD}")])
    #expect(svg.all("script").isEmpty && svg.all("image").isEmpty && svg.all("use").isEmpty)
    let box = try #require(svg.attributes["viewBox"]).split(separator: " ").map { Double($0) ?? 0 }
    #expect(box.count == 4 && box[2] <= 640)
    for text in svg.all("text") {
      #expect(try #require(text.attributes["font-size"].flatMap(Double.init)) >= 12)
    }
  }

  @Test(arguments: samples.keys.sorted())
  func `no text covers another or leaves the picture`(sample: String) throws {
    let layout = TimelineLayout(try #require(Self.samples[sample]))
    let labels = layout.rows.flatMap(\.labels) + layout.notes
    for (index, label) in labels.enumerated() {
      let box = Self.box(of: label)
      #expect(box.left >= 0 && box.right <= layout.width, "'\(label.text)' sticks out")
      #expect(box.top >= 0 && box.bottom <= layout.height, "'\(label.text)' sticks out")
      for other in labels[(index + 1)...] {
        let isClear = !Self.box(of: other).meets(box)
        #expect(isClear, "'\(label.text)' and '\(other.text)' cover each other")
      }
    }
  }

  @Test(arguments: samples.keys.sorted())
  func `the line from a mark to its label crosses no other`(sample: String) throws {
    let layout = TimelineLayout(try #require(Self.samples[sample]))
    for row in layout.rows {
      for dot in row.dots {
        guard let end = dot.lineEnd else { continue }
        let line = Box(left: dot.x, right: dot.x, top: dot.y, bottom: end)
        for label in row.labels where label.look == .mark {
          let isClear = !Self.box(of: label).meets(line)
          #expect(isClear, "the line at \(dot.x) crosses '\(label.text)'")
        }
      }
    }
  }

  @Test func `many marks are numbered`() throws {
    let layout = TimelineLayout(try #require(Self.samples["many marks"]))
    let numbers = layout.rows.flatMap(\.labels).filter { $0.look == .number }.map(\.text)
    #expect(Set(numbers) == Set((1...24).map(String.init)))
  }

  @Test func `a bar goes from entry to leaving`() throws {
    let layout = TimelineLayout(try #require(Self.samples["an overlap"]))
    let bars = layout.rows.flatMap(\.bars)
    #expect(bars.map(\.x) == [0, 1, 4].map { layout.columns[$0] })
    #expect(bars.prefix(2).map(\.end) == [3, 2].map { layout.columns[$0] })
    #expect(bars.map(\.opensRight) == [false, false, true])
  }

  @Test func `a dashed line goes from asking to entry`() throws {
    let layout = TimelineLayout(try #require(Self.samples["waiting"]))
    let waits = layout.rows.flatMap(\.waits)
    #expect(waits.map(\.x) == [1, 4].map { layout.columns[$0] })
    #expect(waits.first?.end == layout.columns[3])
    #expect(try #require(waits.last).end > layout.columns[5] && waits[1].end <= layout.width)
    let again = TimelineRow("a", in: Self.events("+a", "?a", "-a", "?a"))
    #expect(again.waits == [.init(start: 3)])
    let gone = TimelineRow("a", in: Self.events("?a", "*a|calls", "-a", "+a"))
    #expect(gone.waits == [.init(start: 0, end: 2)] && gone.visits == [.init(start: 3)])
  }

  @Test func `being inside twice is a step on the bar`() {
    let row = TimelineRow("a", in: Self.events("+a", "+a", "+b", "-a", "-a", "+a"))
    #expect(row.visits == [.init(start: 0, end: 4), .init(start: 5)])
    #expect(row.nestings == [.init(start: 1, end: 3, depth: 2)])
  }

  @Test func `who leaves without an entry was inside before`() {
    let row = TimelineRow("a", in: Self.events("-a", "-a", "*a|done"))
    #expect(row.visits == [.init(start: nil, end: 1)])
    #expect(row.nestings == [.init(start: nil, end: 0, depth: 2)])
    #expect(row.marks == [.init(column: 2, what: "done")])
  }

  @Test func `a long record says what it leaves out`() throws {
    let layout = TimelineLayout(try #require(Self.samples["a long record"]))
    #expect(layout.notes.contains { $0.text.hasSuffix("earlier events not shown") })
  }

  // MARK: - Colours

  @Test func `a role has its colour, in any order`() {
    let one = Palette.places(of: ["writer", "reader 1", "reader 2"])
    let other = Palette.places(of: ["reader 1", "writer"])
    #expect(one["writer"] == other["writer"] && one["reader 1"] == other["reader 1"])
    #expect(one["reader 1"] == one["reader 2"])
    #expect(one["writer"] != one["reader 1"])
  }

  @Test func `six roles have six colours`() {
    #expect(Set(Palette.places(of: ["a", "b", "c", "d", "e", "f"]).values).count == 6)
    #expect(Palette.places(of: (0..<9).map { "\($0)x" }).count == 9)
  }

  @Test(arguments: TimelineSVG.Scheme.allCases)
  func `all colours stand out`(scheme: TimelineSVG.Scheme) throws {
    let palette = scheme == .light ? Palette.light : .dark
    for text in [palette.text, palette.muted] {
      #expect(try Self.contrast(text, palette.card) >= 4.5)
    }
    for shades in palette.shades {
      #expect(try Self.contrast(shades.bar, palette.card) >= 3, "\(shades.bar)")
      #expect(try Self.contrast(shades.strong, palette.card) >= 3, "\(shades.strong)")
      #expect(try Self.contrast(palette.onStrong, shades.strong) >= 4.5, "\(shades.strong)")
    }
  }

  // MARK: - Fixtures

  private static func events(_ texts: String...) -> [TimelineEvent] {
    texts.compactMap(TimelineEvent.init)
  }

  private struct Box {
    let left, right, top, bottom: Double

    func meets(_ other: Box) -> Bool {
      left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
  }

  /// The letters of a label, as wide as they are guessed to be.
  private static func box(of label: TimelineLayout.Label) -> Box {
    let left = label.isCentred ? label.x - label.width / 2 : label.x
    return Box(
      left: left, right: left + label.width, top: label.y - label.size * 0.75,
      bottom: label.y + label.size * 0.2)
  }

  /// The contrast of two colours.
  ///
  /// Source: WCAG 2.2, "contrast ratio" and "relative luminance".
  private static func contrast(_ one: String, _ other: String) throws -> Double {
    let both = try [luminance(one), luminance(other)].sorted()
    return (both[1] + 0.05) / (both[0] + 0.05)
  }

  private static func luminance(_ colour: String) throws -> Double {
    let value = try #require(Int(colour.dropFirst(), radix: 16))
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(value >> shift & 255) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
