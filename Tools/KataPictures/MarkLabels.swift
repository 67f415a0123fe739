/// Places the labels of a row's marks beneath it, so that none covers another.
///
/// A label begins below its mark and runs to the right. Where the next one is in its way it goes
/// further down, on a line of its own, so labels stand like stairs:
///
///     ──●────●──
///       │    asks again
///       asks for the first time
struct MarkLabels {
  /// A label, still without a place.
  struct Label {
    let x: Double
    let lines: [String]
    let width: Double
  }

  private static let gap = 8.0

  /// The first line of each label, counted from the row; in the order of the labels.
  let firstLines: [Int]
  /// How many lines they take together.
  let lineCount: Int

  /// Places labels that are sorted from left to right.
  init(_ labels: [Label]) {
    var firstLines = [Int](repeating: 0, count: labels.count)
    // From the right: what stands there leaves no room in the lines down to its own last one.
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
