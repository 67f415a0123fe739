import Foundation

/// A kata as a row of the list: whether it's done, its name, how hard it is, how long it takes.
struct KataRow {
  private static let nameWidth = Catalogue.katas.map(\.name.count).max() ?? 0

  let kata: Kata
  let isDone: Bool
  /// Whether it passes its spec, and races weren't looked for.
  var isUnchecked = false
  let style: TextStyle
  var isSelected = false
  /// Whether there is room for more than the name and the title.
  var isWide = true

  /// The row in one line, however long.
  var text: String { beginning + kata.title }

  /// The row with its title in as many lines as the width asks for.
  var lines: String {
    let column = ScreenText.width(of: beginning)
    let margin = String(repeating: " ", count: column)
    return beginning
      + style.broken(kata.title, to: style.width - column).joined(separator: "\n\(margin)")
  }

  /// All that stands before the title.
  private var beginning: String {
    let mark = isDone ? style.good("✔") : isUnchecked ? "?" : " "
    let padded = kata.name.padding(toLength: Self.nameWidth, withPad: " ", startingAt: 0)
    let name = isSelected ? style.bold(padded) : padded
    let minutes = "\(kata.minutes < 10 ? " " : "")\(kata.minutes) min"
    let details = isWide ? style.dim("\(kata.stars)  \(minutes)  ") : ""
    return "\(isSelected ? "›" : " ") \(mark) \(name)  \(details)"
  }
}
