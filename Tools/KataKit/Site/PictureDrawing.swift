/// A picture as SVG.
///
/// It stands in for the project's own drawing of timelines.
extension SitePicture {
  func drawing(isDark: Bool) -> String {
    var rows: [String] = []
    for event in events {
      let who = String(event.dropFirst().prefix { $0 != "|" })
      if !rows.contains(who) { rows.append(who) }
    }
    let (ink, bar) = isDark ? ("#eee", "#7ab8ff") : ("#222", "#2a6fd6")
    let step = 48
    let width = 160 + step * (events.count + 1)
    let height = 36 * rows.count + 24
    var shapes = ""
    for (row, who) in rows.enumerated() {
      let y = 36 * row + 30
      shapes += #"<text x="12" y="\#(y + 5)" fill="\#(ink)" font-size="15">\#(who.xml)</text>"#
      var began: Int?
      for (column, event) in events.enumerated() {
        guard String(event.dropFirst().prefix { $0 != "|" }) == who else { continue }
        let x = 160 + step * column
        switch event.first {
        case "+": began = began ?? x
        case "-":
          if let start = began { shapes += line(start, x, y, bar) }
          began = nil
        default: shapes += #"<circle cx="\#(x)" cy="\#(y)" r="6" fill="\#(bar)"/>"#
        }
      }
      if let start = began { shapes += line(start, width - 12, y, bar) }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="sans-serif">\(shapes)</svg>
      """
  }

  private func line(_ from: Int, _ to: Int, _ y: Int, _ colour: String) -> String {
    #"<rect x="\#(from)" y="\#(y - 8)" width="\#(to - from)" height="16" rx="5" fill="\#(colour)"/>"#
  }
}

extension String {
  fileprivate var xml: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
