/// What a learner sees while watching a kata, and what each key does to it.
///
/// Nothing here runs, reads or writes: keys go in, and actions come out.
struct WatchState {
  private(set) var kata: Kata
  var progress: Progress
  var activity = Activity.building
  var outcome = Outcome.nothing
  /// The number of hints that the page of hints shows.
  private(set) var hintsShown = 0
  /// The index of the failing test that the verdict shows.
  private(set) var shownFailure = 0
  /// A sentence about the last key, until the next key, or until a run begins that this key hasn't
  /// started.
  var notice: String? { didSet { hasRunSinceNotice = false } }
  private var hasRunSinceNotice = false
  private(set) var page = Page.verdict
  /// Whether the learner's file is the stub, so that there is nothing to reset.
  var isStub = false
  /// The first line of the page on the screen.
  var scroll = 0
  /// How many lines of the page the screen showed when it was last drawn.
  var visibleLines = 1

  init(kata: Kata, progress: Progress) {
    self.kata = kata
    self.progress = progress
  }

  /// Opens another kata.
  mutating func open(_ kata: Kata) {
    self.kata = kata
    show(.verdict)
    begin()
  }

  /// A run begins; a learner who saves wants to see its verdict.
  ///
  /// A question stays: its answer may be on its way, and the same key would mean something else.
  mutating func begin() {
    activity = .building
    outcome = .nothing
    shownFailure = 0
    if hasRunSinceNotice { notice = nil }
    hasRunSinceNotice = true
    if case .question = page { return }
    show(.verdict)
  }

  /// Handles an event of the run.
  mutating func hear(_ event: Judge.Event) {
    switch event {
    case .building: activity = .building
    case .testing: activity = .testing
    case .checkingForRaces: activity = .checkingForRaces
    case .news(.explored(let count)): activity = .exploring(count)
    case .news(.failed(let test)):
      guard case .nothing = outcome else { return }
      activity = .finishing
      outcome = .failing(test)
    }
  }

  /// The run has ended.
  mutating func end(_ outcome: Outcome) {
    activity = .resting
    self.outcome = outcome
  }

  mutating func showHints(_ count: Int) {
    hintsShown = count
    show(.hints)
  }

  mutating func showSolution(_ text: SolutionText) {
    show(.solution(text, isWhole: false))
  }

  mutating func showPage(_ page: DocumentationPage) {
    show(.documentation(page))
  }

  private mutating func show(_ page: Page) {
    self.page = page
    scroll = 0
  }

  // MARK: - Keys

  /// Handles a key; returns what to do, if anything.
  mutating func press(_ key: Key) -> Action? {
    notice = nil
    if key == .endOfInput { return .quit }
    switch page {
    case .question(let question): return answer(question, with: key)
    case .list(let list): return press(key, in: list)
    case .verdict, .hints, .solution, .documentation, .keys: return command(key) ?? move(key)
    }
  }

  private mutating func command(_ key: Key) -> Action? {
    switch key {
    case .escape: show(.verdict)
    case .character("q"): return .quit
    case .character("r"): return .run
    case .character("h"): return .nextHint
    case .character("n"): return next.map { .open($0.name) } ?? say("This is the last kata.")
    case .character("p"): return previous.map { .open($0.name) } ?? say("This is the first kata.")
    case .character("f"): return showNextFailure()
    case .character("l"): show(.list(KataList(selecting: kata.name)))
    case .character("x"):
      if isStub { return say("The file is the stub already.") }
      show(.question(.reset))
    case .character("d"): return .showPage(isOnItsPage ? kata.module.rawValue : kata.name)
    case .character("?"): show(.keys)
    case .character("e"): return .edit
    case .character("t"):
      guard let (file, line) = placeInSpec else {
        return say(
          shownTest == nil ? "No test has failed." : "The file of that test isn't known.")
      }
      return .editSpec(file: file, line: line)
    case .character("s"):
      if case .solution(let text, let isWhole) = page {
        show(.solution(text, isWhole: !isWhole))
        return nil
      }
      if progress.isDone(kata) { return .showSolution }
      show(.question(.solution))
    default: break
    }
    return nil
  }

  private mutating func showNextFailure() -> Action? {
    guard failing.count > 1 else {
      return say(failing.isEmpty ? "No test has failed." : "No other test has failed.")
    }
    shownFailure = (shownFailure + 1) % failing.count
    show(.verdict)
    return nil
  }

  private mutating func say(_ sentence: String) -> Action? {
    notice = sentence
    return nil
  }

  private mutating func move(_ key: Key) -> Action? {
    switch key {
    case .down, .character("j"): scroll += 1
    case .up, .character("k"): scroll -= 1
    case .pageDown, .character(" "): scroll += max(1, visibleLines - 1)
    case .pageUp: scroll -= max(1, visibleLines - 1)
    case .home: scroll = 0
    case .end: scroll = .max
    default: break
    }
    return nil
  }

  private mutating func answer(_ question: Question, with key: Key) -> Action? {
    show(.verdict)
    guard key == .character("y") else { return nil }
    return question == .solution ? .showSolution : .reset
  }

  private mutating func press(_ key: Key, in list: KataList) -> Action? {
    var list = list
    switch key {
    case .escape where list.search.isEmpty:
      show(.verdict)
      return nil
    case .enter:
      guard let name = list.selected else { return nil }
      show(.verdict)
      return .open(name)
    default:
      list.press(key, visibleRows: visibleLines)
      page = .list(list)
      return nil
    }
  }

  /// Whether the kata's page is on the screen, from which its chapter is one key away.
  private var isOnItsPage: Bool {
    if case .documentation(let page) = page { page.name == kata.name } else { false }
  }

  /// The test that the verdict shows, if one has failed.
  private var shownTest: TestReport? {
    if case .failing(let test) = outcome { return test }
    return failing.indices.contains(shownFailure) ? failing[shownFailure] : nil
  }

  private var placeInSpec: (file: String, line: Int)? {
    guard let test = shownTest else { return nil }
    if let issue = test.issues.first, let file = issue.file, let line = issue.line {
      return (file, line)
    }
    return test.file.map { ($0, test.line) }
  }

  /// The line of the learner's file that the verdict names, if any.
  ///
  /// - Parameter isOwn: Whether a path is that of the learner's file.
  /// - Returns: The line of the compiler's first message about it, or else that of a race, or else
  ///   the one at which a schedule held a thread.
  func lineInOwnFile(where isOwn: (String) -> Bool) -> Int? {
    guard case .verdict(let verdict) = outcome else { return nil }
    let frames = verdict.race?.sides.compactMap(\.place) ?? []
    let held = shownTest?.issues.first?.heldAt ?? []
    return verdict.compilerMessages.first { isOwn($0.file) }?.line
      ?? frames.first { isOwn($0.file) }?.line ?? held.first { isOwn($0.file) }?.line
  }

  /// The tests that have failed, once all have run.
  var failing: [TestReport] {
    if case .verdict(let verdict) = outcome { verdict.tests.failing } else { [] }
  }

  // MARK: - Which kata comes next

  /// The next kata that isn't done, from this one on and then from the beginning; the one after
  /// this if all are done.
  var next: Kata? {
    let katas = Catalogue.katas
    guard let index = katas.firstIndex(where: { $0.name == kata.name }) else { return katas.first }
    let after = Array(katas[(index + 1)...])
    return progress.next(among: after + katas[..<index]) ?? after.first
  }

  /// The kata before this one in teaching order.
  var previous: Kata? {
    let index = Catalogue.katas.firstIndex { $0.name == kata.name } ?? 0
    return index > 0 ? Catalogue.katas[index - 1] : nil
  }
}
