import Foundation

/// The screen of a watch session, as rows of text.
struct WatchView {
  let repository: Repository
  let style: TextStyle
  let columns: Int
  let rows: Int
  /// The number of times the screen was drawn during the current activity; moves the wheel.
  var tick = 0
  /// How long the current activity has taken, in seconds.
  var seconds = 0
  /// Whether there is an editor to open files in.
  var hasEditor = false

  /// The rows of the screen, no wider and no more than fit.
  ///
  /// Clamps the scroll position of `state`.
  func draw(_ state: inout WatchState) -> [String] {
    let head = [progress(state), title(state.kata)] + (rows >= 12 ? [""] : []) + status(state)
    let foot = notice(state) + keys(for: state)
    let room = max(1, rows - head.count - foot.count - 2)
    state.visibleLines = room
    let (body, range) = page(&state, room: room)
    let filler = [String](repeating: "", count: max(0, room - body.count))
    let all = head + [rule()] + body + filler + [rule(saying: range)] + foot
    return all.prefix(rows).map { ScreenText.clipped($0, to: columns) }
  }

  // MARK: - Above

  private func progress(_ state: WatchState) -> String {
    let count = Catalogue.katas.count
    let done = Catalogue.katas.count { state.progress.isDone($0) }
    let name = columns >= 60 ? "Concurrency Katas  " : ""
    let figures = "  \(done) of \(count) done"
    let width = max(4, min(count, columns - name.count - figures.count - 1))
    let full = done * width / count
    let bar =
      style.good(String(repeating: "━", count: full))
      + style.dim(String(repeating: "─", count: width - full))
    return style.bold(name) + bar + figures
  }

  private func title(_ kata: Kata) -> String {
    let name = style.bold(kata.name)
    let facts = "  \(style.dim(kata.stars))  \(kata.minutes) min"
    let module = "  \(style.dim(kata.module.rawValue))"
    // Less important parts are dropped first.
    let rows = [
      "\(name)\(facts)  \(kata.title)\(module)", "\(name)\(facts)  \(kata.title)",
      "\(name)  \(kata.title)",
    ]
    return rows.first { ScreenText.width(of: $0) <= columns } ?? rows[2]
  }

  private static let wheel = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏").map(String.init)

  private func status(_ state: WatchState) -> [String] {
    let text =
      switch state.activity {
      case .building: "Building"
      case .testing: "Running the spec"
      case .finishing: "Running the other tests"
      case .exploring(let count): "The spec passes; \(count) schedules tried"
      case .checkingForRaces: "The spec passes; looking for data races"
      case .resting: ""
      }
    guard !text.isEmpty else { return [headline(state.outcome)] }
    let wheel = Self.wheel[tick % Self.wheel.count]
    let note =
      [.building, .checkingForRaces].contains(state.activity) && seconds >= 5
      ? " (the first time takes longest)" : ""
    return ["\(style.bold(wheel)) \(text) … \(seconds > 0 ? "\(seconds) s" : "")\(note)"]
  }

  private func headline(_ outcome: WatchState.Outcome) -> String {
    guard case .verdict(let verdict) = outcome else { return style.bad("no verdict") }
    return VerdictText(repository: repository, style: style).headline(verdict)
  }

  // MARK: - The middle

  private func text(of state: WatchState) -> String {
    switch state.page {
    case .verdict, .question: text(of: state.outcome, state)
    case .hints: state.kata.hintText(state.hintsShown, style)
    case .solution(let text, let isWhole):
      isWhole ? text.whole(style) : text.difference(style)
    case .documentation(let page): page.text(style)
    case .keys:
      Self.keys.map { key, meaning in
        let indent = 4 + key.count
        let lines = style.broken(meaning, to: style.width - indent)
        let margin = String(repeating: " ", count: indent)
        return "  \(style.bold(key))  \(lines.joined(separator: "\n\(margin)"))"
      }.joined(separator: "\n")
    case .list: ""
    }
  }

  private func text(of outcome: WatchState.Outcome, _ state: WatchState) -> String {
    let text = VerdictText(repository: repository, style: style)
    switch outcome {
    case .nothing: return ""
    case .refused(let sentence): return style.reflow(sentence, indent: 2)
    case .failing(let test): return text.failure(test)
    case .verdict(let verdict):
      let day = state.progress.done[verdict.kata]
      let steps = [VerdictText.staysDone(verdict, since: day), nextStep(verdict, state)]
      let next = style.reflow(steps.compactMap(\.self).joined(separator: " "), indent: 2)
      let failing = state.failing
      guard failing.indices.contains(state.shownFailure) else {
        return text.details(verdict, state.kata) + "\n\(next)"
      }
      let test = failing[state.shownFailure]
      let count =
        failing.count > 1 ? " (failure \(state.shownFailure + 1) of \(failing.count))" : ""
      return text.failure(test, remark: count) + text.details(verdict, state.kata, showing: test)
        + "\n\(next)"
    }
  }

  private func nextStep(_ verdict: Verdict, _ state: WatchState) -> String {
    let file = repository.learnerPath(of: state.kata)
    switch verdict.kind {
    case .passed:
      let (kata, page) = (state.kata, DocumentationPage.path(ofPage: state.kata.name))
      let steps = [
        state.next.map { "n opens \($0.name)" },
        repository.exists(repository.referencePath(of: kata))
          ? "s shows how the reference does it" : nil,
        repository.exists(page) ? "d explains it" : nil,
      ].compactMap(\.self)
      return steps.isEmpty ? "Done." : "Done. \(steps.joined(separator: "; "))."
    case .racesNotChecked: return VerdictText.withoutRaces
    case .notStarted:
      let module = state.kata.module.rawValue
      let chapter =
        state.progress.beginsModule(state.kata)
          && DocumentationPage.hasChapter(state.kata.module, in: repository)
        ? "\(module) begins here; d, pressed twice, shows its chapter. " : ""
      return "\(chapter)Open \(file) and begin; h gives a hint. Saving judges it again."
    default: return "Continue in \(file); h gives a hint. Saving judges it again."
    }
  }

  /// The lines of the page that fit on the screen, and their range in words, if not all do.
  private func page(_ state: inout WatchState, room: Int) -> (lines: [String], range: String) {
    if case .list(let list) = state.page { return listed(list, state.progress, room: room) }
    var lines = text(of: state).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    if lines.first?.isEmpty == true { lines.removeFirst() }
    state.scroll = min(max(0, state.scroll), max(0, lines.count - room))
    let end = min(lines.count, state.scroll + room)
    let range =
      lines.count > room ? "lines \(state.scroll + 1)–\(end) of \(lines.count) · ↑ ↓ space" : ""
    return (Array(lines[state.scroll..<end]), range)
  }

  private func listed(
    _ list: KataList, _ progress: Progress, room: Int
  ) -> (lines: [String], range: String) {
    let katas = list.katas
    guard !katas.isEmpty else { return (["", "  No kata matches."], "") }
    let first = Self.window(around: list.selectedIndex ?? 0, of: katas.count, room: room)
    let shown = katas[first..<min(katas.count, first + room)]
    let lines = shown.map { kata in
      KataRow(
        kata: kata, isDone: progress.isDone(kata), isUnchecked: progress.passesUnchecked(kata),
        style: style, isSelected: kata.name == list.selected, isWide: columns >= 56
      ).text
    }
    let range = katas.count > room ? "\(first + 1)–\(first + shown.count) of \(katas.count)" : ""
    return (lines, range)
  }

  /// The first row to show, so that the selected one is visible, in the middle if possible.
  private static func window(around selected: Int, of count: Int, room: Int) -> Int {
    min(max(0, selected - room / 2), max(0, count - room))
  }

  // MARK: - Below

  private func rule(saying text: String = "") -> String {
    guard !text.isEmpty, columns > text.count + 6 else {
      return style.dim(String(repeating: "─", count: columns))
    }
    let line = String(repeating: "─", count: columns - text.count - 4)
    return style.dim("\(line) \(text) ──")
  }

  private func notice(_ state: WatchState) -> [String] {
    guard let notice = state.notice else { return [] }
    return style.reflow(notice, indent: 0).split(separator: "\n").map(String.init)
  }
}
