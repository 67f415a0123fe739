/// Places the labels of a row's marks below the row, so that none overlaps another.
///
/// A label begins below its mark and extends to the right. If the next label is in its way, it
/// moves down to a line of its own, so that labels form stairs:
///
///     ──●────●──
///       │    asks again
///       asks for the first time
struct MarkLabels {
  /// A label without a place.
  struct Label {
    let x: Double
    let lines: [String]
    let width: Double
  }

  private static let gap = 8.0

  /// The first line of each label, counted from the row; in the order of the labels.
  let firstLines: [Int]
  /// The number of lines that they take together.
  let lineCount: Int

  /// Places labels that are sorted from left to right.
  init(_ labels: [Label]) {
    var firstLines = [Int](repeating: 0, count: labels.count)
    // From the right: a label leaves no room in the lines above its own last line.
    for index in labels.indices.reversed() {
      let label = labels[index]
      let inTheWay = labels.indices.dropFirst(index + 1)
        .filter { labels[$0].x < label.x + label.width + Self.gap }
      firstLines[index] = inTheWay.map { firstLines[$0] + labels[$0].lines.count }.max() ?? 0
    }
    self.firstLines = firstLines
    lineCount = labels.indices.map { firstLines[$0] + labels[$0].lines.count }.max() ?? 0
  }
}
