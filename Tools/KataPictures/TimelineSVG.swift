/// Draws events as a picture, with a row for each participant and a column for each event.
///
/// A dashed line goes from asking to entry, and a bar from entry to leaving. The bar is higher and
/// stronger where a participant is inside more than once, and ends in dots if it's inside to the
/// end. Marks are dots with labels. For readers who can't see the picture, it contains a title and
/// the events in words. It's self-contained: it needs no script, no font and no other file.
public struct TimelineSVG: Sendable {
  /// The background of the picture.
  public enum Scheme: String, CaseIterable, Sendable {
    /// On a light page.
    case light
    /// On a dark page.
    case dark
  }

  private let events: [TimelineEvent]
  private let title: String
  private let scheme: Scheme

  /// Creates a picture of `events`.
  ///
  /// If there are too many for a phone, it shows the latest ones.
  public init(events: [TimelineEvent], title: String, scheme: Scheme = .light) {
    self.events = events
    self.title = title
    self.scheme = scheme
  }

  /// The whole SVG document.
  public var text: String {
    let layout = TimelineLayout(events)
    let palette = scheme == .light ? Palette.light : .dark
    let (width, height) = (Self.number(layout.width), Self.number(layout.height))
    let places = Palette.places(of: events.participants)
    return XMLTag(
      name: "svg",
      attributes: [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(width) \(height)",
        "width": width, "height": height, "role": "img", "aria-labelledby": "title",
        "aria-describedby": "events",
        "font-family": "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
      ],
      elements: [
        XMLTag(name: "title", attributes: ["id": "title"], text: title),
        XMLTag(name: "desc", attributes: ["id": "events"], text: events.words),
        XMLTag(
          name: "rect",
          attributes: [
            "x": "0.5", "y": "0.5", "width": Self.number(layout.width - 1),
            "height": Self.number(layout.height - 1), "rx": "10", "fill": palette.card,
            "stroke": palette.edge,
          ]),
        grid(layout, palette),
      ]
        + layout.rows.flatMap { row in
          draw(row, palette, palette.shades[places[row.who] ?? 0])
        }
        + layout.notes.map { draw($0, colour: palette.muted) }
    ).document
  }

  /// A thin line for each event, to show what came before what, and one between rows.
  private func grid(_ layout: TimelineLayout, _ palette: Palette) -> XMLTag {
    let (top, bottom) = (Self.number(layout.span.lowerBound), Self.number(layout.span.upperBound))
    let events = layout.columns.map { "M\(Self.number($0)) \(top)V\(bottom)" }
    let rows = layout.rows.dropFirst().map {
      "M\(Self.number(TimelineLayout.margin)) \(Self.number($0.top - 1))"
        + "H\(Self.number(layout.width - TimelineLayout.margin))"
    }
    return XMLTag(
      name: "path",
      attributes: ["d": (events + rows).joined(), "fill": "none", "stroke": palette.grid])
  }

  private func draw(
    _ row: TimelineLayout.Row, _ palette: Palette, _ shades: Palette.Shades
  ) -> [XMLTag] {
    let waits = row.waits.map { draw($0, shades) }
    let bars = row.bars.flatMap { draw($0, shades) }
    let lines = row.dots.compactMap { dot -> String? in
      dot.lineEnd.map {
        "M\(Self.number(dot.x)) \(Self.number(dot.y + dot.radius))V\(Self.number($0))"
      }
    }
    let stairs = XMLTag(
      name: "path",
      attributes: ["d": lines.joined(), "fill": "none", "stroke": palette.muted])
    let dots = row.dots.map { dot in
      XMLTag(
        name: "circle",
        attributes: [
          "cx": Self.number(dot.x), "cy": Self.number(dot.y), "r": Self.number(dot.radius),
          "fill": dot.isNumbered ? shades.strong : palette.card, "stroke": shades.strong,
          "stroke-width": dot.isNumbered ? nil : "2.5",
        ])
    }
    let labels = row.labels.map { label in
      let colour =
        switch label.look {
        case .name, .mark: palette.text
        case .note: palette.muted
        case .count, .number: palette.onStrong
        }
      return draw(label, colour: colour)
    }
    return waits + bars + (lines.isEmpty ? [] : [stairs]) + dots + labels
  }

  /// A dashed line, with a vertical one at its beginning.
  private func draw(_ wait: TimelineLayout.Wait, _ shades: Palette.Shades) -> XMLTag {
    let (x, middle) = (Self.number(wait.x), Self.number(wait.middle))
    return XMLTag(
      name: "path",
      attributes: [
        "d": "M\(x) \(Self.number(wait.middle - 7))V\(Self.number(wait.middle + 7))"
          + "M\(x) \(middle)H\(Self.number(wait.end))",
        "fill": "none", "stroke": shades.strong, "stroke-width": "2.5", "stroke-dasharray": "4 4",
      ])
  }

  /// A bar, rounded at its beginning and end; a bar without an end is square there, followed by
  /// dots.
  private func draw(_ bar: TimelineLayout.Bar, _ shades: Palette.Shades) -> [XMLTag] {
    let half = bar.isNested ? 10.0 : 7.0
    let radius = min(4, (bar.end - bar.x) / 2)
    let left = bar.opensLeft ? 0 : radius
    let right = bar.opensRight ? 0 : radius
    func corner(_ radius: Double, _ dx: Double, _ dy: Double) -> String {
      radius == 0
        ? ""
        : "a\(Self.number(radius)) \(Self.number(radius)) 0 0 1 "
          + "\(Self.number(dx * radius)) \(Self.number(dy * radius))"
    }
    let path =
      "M\(Self.number(bar.x + left)) \(Self.number(bar.middle - half))"
      + "H\(Self.number(bar.end - right))" + corner(right, 1, 1)
      + "V\(Self.number(bar.middle + half - right))" + corner(right, -1, 1)
      + "H\(Self.number(bar.x + left))" + corner(left, -1, -1)
      + "V\(Self.number(bar.middle - half + left))" + corner(left, 1, -1) + "Z"
    let colour = bar.isNested ? shades.strong : shades.bar
    let body = XMLTag(name: "path", attributes: ["d": path, "fill": colour])
    guard bar.opensRight, !bar.isNested else { return [body] }
    let dots = (0..<3).map { index in
      XMLTag(
        name: "circle",
        attributes: [
          "cx": Self.number(bar.end + 6 + 8 * Double(index)), "cy": Self.number(bar.middle),
          "r": "2.5", "fill": colour,
        ])
    }
    return [body] + dots
  }

  private func draw(_ label: TimelineLayout.Label, colour: String) -> XMLTag {
    XMLTag(
      name: "text",
      attributes: [
        "x": Self.number(label.x), "y": Self.number(label.y),
        "font-size": Self.number(label.size), "fill": colour,
        "font-weight": label.look == .name || label.isCentred ? "600" : nil,
        "text-anchor": label.isCentred ? "middle" : nil,
      ],
      text: label.text)
  }

  /// A length with at most one decimal.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }
}
