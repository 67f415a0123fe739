// MARK: - What each key does, in words

extension WatchView {
  /// The keys and what they do, as `?` shows them.
  static let keys: [(key: String, meaning: String)] = [
    ("h", "the next of three hints, from a nudge to nearly the answer"),
    ("d", "the kata's page; once more, its module's chapter"),
    ("f", "what the next failing test says, where more than one fails"),
    ("n", "the next kata that isn't done"),
    ("p", "the kata before this one"),
    ("l", "all katas: type to search, arrows to choose, enter to open"),
    ("s", "how the reference differs from your code; once more, all of it"),
    ("e", "open your file in the editor of EDIT: EDIT=code make kata"),
    ("t", "open the failing test in that editor"),
    ("x", "restore the stub; your text is kept beside it"),
    ("r", "run again without a save"),
    ("q", "leave; what is done stays done"),
    ("↑ ↓", "scroll by a line; space, page up and page down by a screen"),
    ("esc", "back to the verdict"),
  ]

  /// What the keys do here, in as many rows as they need.
  func keys(for state: WatchState) -> [String] {
    switch state.page {
    case .list(let list):
      let search = list.search.isEmpty ? style.dim("type to search") : list.search
      return ["Search: \(search)"]
        + wrapped([("↑ ↓", "choose"), ("enter", "open"), ("esc", "back")])
    case .question(.solution):
      return ["It isn't done yet, and there are hints (h). See the solution anyway?"]
        .flatMap { style.reflow($0, indent: 0).split(separator: "\n").map(String.init) }
        + wrapped([("y", "yes"), ("any other key", "no")])
    case .question(.reset):
      return ["Restore the stub? Your text is kept beside it."]
        .flatMap { style.reflow($0, indent: 0).split(separator: "\n").map(String.init) }
        + wrapped([("y", "yes"), ("any other key", "no")])
    case .hints:
      let next = state.hintsShown < state.kata.hints.count ? [("h", "next hint")] : []
      return wrapped(next + [("esc", "verdict"), ("q", "quit")])
    case .solution(_, let isWhole):
      return wrapped([
        ("s", isWhole ? "difference" : "whole reference"), ("↑ ↓ space", "scroll"),
        ("esc", "verdict"), ("n", "next"), ("q", "quit"),
      ])
    case .documentation(let page):
      let other = page.name == state.kata.name ? "chapter" : "kata's page"
      return wrapped([
        ("d", other), ("↑ ↓ space", "scroll"), ("esc", "verdict"), ("q", "quit"),
      ])
    case .keys: return wrapped([("esc", "verdict"), ("q", "quit")])
    case .verdict:
      let failures = state.failing.count > 1 ? [("f", "next failure")] : []
      let editor = hasEditor ? [("e", "edit")] : []
      let test = hasEditor && !state.failing.isEmpty ? [("t", "open test")] : []
      return wrapped(
        failures + editor + test + [
          ("h", "hint"), ("d", "docs"), ("n", "next"), ("p", "previous"), ("l", "list"),
          ("s", "solution"),
          ("x", "reset"), ("r", "run"), ("?", "help"), ("q", "quit"),
        ])
    }
  }

  private func wrapped(_ keys: [(key: String, meaning: String)]) -> [String] {
    var lines: [(text: String, width: Int)] = []
    for (key, meaning) in keys {
      let width = key.count + 1 + meaning.count
      let item = "\(style.bold(key)) \(meaning)"
      if let last = lines.last, last.width + 3 + width <= columns {
        lines[lines.count - 1] = ("\(last.text)   \(item)", last.width + 3 + width)
      } else {
        lines.append((item, width))
      }
    }
    return lines.map(\.text)
  }
}
