extension TimelineLayout {
  /// A piece of text on one line.
  struct Label: Equatable {
    enum Look: Equatable { case name, mark, note, count, number }

    let text: String
    let x: Double
    /// The baseline of the text.
    let y: Double
    let look: Look

    var size: Double {
      switch look {
      case .name: 14
      case .mark: 13
      case .note, .count, .number: 12
      }
    }

    /// Whether `x` is the middle of the text rather than its beginning.
    var isCentred: Bool { look == .count || look == .number }

    var width: Double { TextMetrics.width(text, size: size) }
  }

  /// A bar; an open end isn't in the picture.
  struct Bar {
    let x: Double
    let end: Double
    let middle: Double
    let isNested: Bool
    let opensLeft: Bool
    let opensRight: Bool
  }

  /// The line of a waiting participant.
  struct Wait {
    let x: Double
    let end: Double
    let middle: Double
  }

  /// The dot of a mark, and the length of the line down to its label.
  struct Dot {
    let x: Double
    let y: Double
    let radius: Double
    let isNumbered: Bool
    let lineEnd: Double?
  }

  /// The parts of a row in a participant's colour.
  struct Row {
    let who: String
    var top: Double
    var labels: [Label] = []
    var bars: [Bar] = []
    var waits: [Wait] = []
    var dots: [Dot] = []
  }
}
