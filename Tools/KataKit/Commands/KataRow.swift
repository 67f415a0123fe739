import Foundation

/// A kata as a row of the list: whether it's done, its name, its difficulty and its duration.
struct KataRow {
  private static let nameWidth = Catalogue.katas.map(\.name.count).max() ?? 0

  let kata: Kata
  let isDone: Bool
  /// Whether it passes its spec, but wasn't checked for races.
  var isUnchecked = false
  let style: TextStyle
  var isSelected = false
  /// Whether there is room for more than the name and the title.
  var isWide = true

  /// The row in one line, of any length.
  var text: String { beginning + kata.title }

  /// The row, with its title wrapped to the width.
  var lines: String {
    let column = ScreenText.width(of: beginning)
    let margin = String(repeating: " ", count: column)
    return beginning
      + style.broken(kata.title, to: style.width - column).joined(separator: "\n\(margin)")
  }

  /// Everything before the title.
  private var beginning: String {
    let mark = isDone ? style.good("✔") : isUnchecked ? "?" : " "
    let padded = kata.name.padding(toLength: Self.nameWidth, withPad: " ", startingAt: 0)
    let name = isSelected ? style.bold(padded) : padded
    let minutes = "\(kata.minutes < 10 ? " " : "")\(kata.minutes) min"
    let details = isWide ? style.dim("\(kata.stars)  \(minutes)  ") : ""
    return "\(isSelected ? "›" : " ") \(mark) \(name)  \(details)"
  }
}
