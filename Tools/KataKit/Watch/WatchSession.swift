import Foundation
import Synchronization

/// A session in which a learner watches a kata: it reads keys and saved files, runs specs and draws
/// screens.
///
/// Everything except the runs happens on the thread that calls ``run()``.
final class WatchSession {
  private let commands: Commands
  private let terminal: Terminal
  private var state: WatchState
  private let saved: SavedFile
  private let mailbox: Mailbox
  private let editor: EditorCommand?
  private var job: CancellableThread?
  /// The number of runs that were started.
  private var runs = 0
  private var begin = ContinuousClock.now
  /// Whether the screen is up to date, except for its moving parts.
  private var isDrawn = false
  /// The size of the window and the tenths of a second when it was last drawn.
  private var drawn = Moment()

  private struct Moment: Equatable {
    var columns = 0
    var rows = 0
    var tenths = 0
    var takings = 0
  }

  init(_ kata: Kata, _ commands: Commands, on terminal: Terminal) {
    self.commands = commands
    self.terminal = terminal
    state = WatchState(kata: kata, progress: commands.readProgress())
    saved = SavedFile()
    mailbox = Mailbox(terminal)
    editor = EditorCommand(environment: ProcessInfo.processInfo.environment)
  }

  /// Judges the kata whenever its file is saved, until the learner quits.
  ///
  /// Blocks; returns the kata that was open last.
  func run() -> Kata {
    terminal.takeOver()
    defer {
      job?.stop()
      terminal.giveBack()
    }
    if editor != nil { perform(.edit) }
    while true {
      if saved.hasChanged(
        at: commands.repository.url(commands.repository.learnerPath(of: state.kata)),
        noticesAbsence: state.activity == .resting)
      {
        judge()
      }
      for message in mailbox.take() where message.run ?? runs == runs { take(message.content) }
      draw()
      for key in terminal.keys(within: 0.05) {
        isDrawn = false
        if key == .character("x") { state.isStub = commands.hasStub(state.kata) }
        guard let action = state.press(key) else { continue }
        if action == .quit { return state.kata }
        perform(action)
      }
    }
  }

  /// The last verdict on the screen.
  var verdict: Verdict? {
    if case .verdict(let verdict) = state.outcome { verdict } else { nil }
  }

  // MARK: - Runs

  /// Stops the current run and starts another.
  private func judge() {
    job?.stop()
    state.begin()
    begin = .now
    isDrawn = false
    runs += 1
    job = CancellableThread { [kata = state.kata, commands, mailbox, number = runs] stop in
      do {
        let verdict = try commands.makeJudge().judge(kata, stop: stop) {
          mailbox.post(.event($0), from: number)
        }
        guard let verdict else { return }
        let warning = try commands.progress.update { $0.record(verdict) }
        mailbox.post(.end(.verdict(verdict)), from: number)
        if let warning { mailbox.post(.notice(warning), from: number) }
        // While the learner reads the verdict, the specs for the next runs are built.
        if ![.passed, .racesNotChecked, .doesNotCompile].contains(verdict.kind) {
          commands.makeJudge().prepare(for: kata, stop: stop)
        }
      } catch {
        mailbox.post(.end(.refused("\(error)")), from: number)
      }
    }
  }

  private func take(_ content: Mailbox.Content) {
    isDrawn = false
    switch content {
    case .event(let event): state.hear(event)
    case .notice(let sentence): state.notice = sentence
    case .end(let outcome):
      state.progress = commands.progress.read().progress
      state.end(outcome)
    }
  }

  // MARK: - Keys

  private func perform(_ action: WatchState.Action) {
    do {
      switch action {
      case .quit: break
      case .run: judge()
      case .open(let name):
        state.open(try Catalogue.kata(named: name))
        // The stamps of the two files may be equal, and the kata is judged at once in any case.
        saved.forget()
        if editor != nil { try edit(ownFile, line: firstTask) }
      case .nextHint: state.showHints(try commands.takeHint(state.kata))
      case .showSolution: state.showSolution(try commands.solution(of: state.kata))
      case .showPage(let name):
        state.showPage(try DocumentationPage(name, in: commands.repository))
      case .edit: try edit(ownFile, line: lineInOwnFile ?? firstTask)
      case .editSpec(let file, let line): try edit(file, line: line)
      case .reset:
        state.notice = try commands.putStubBack(state.kata)
        state.progress = commands.progress.read().progress
      }
    } catch {
      state.notice = "\(error)"
    }
  }

  // MARK: - The editor

  private var ownFile: String { commands.repository.learnerPath(of: state.kata) }

  private var lineInOwnFile: Int? {
    state.lineInOwnFile { commands.repository.short($0) == ownFile }
  }

  /// The first line with something to do in the learner's file; the beginning if none says so.
  private var firstTask: Int {
    let lines = try? commands.repository.text(ownFile).split(
      separator: "\n", omittingEmptySubsequences: false)
    return (lines?.firstIndex { $0.contains("// TODO: ") } ?? 0) + 1
  }

  private func edit(_ file: String, line: Int) throws {
    guard let editor else {
      throw KataError(
        "EDIT=code make kata opens files with 'code'; any editor's command will do.", .usage)
    }
    // Errors are reported whatever run is active then.
    try editor.open(file: commands.repository.url(file), line: line) { [mailbox] in
      mailbox.post(.notice($0), from: nil)
    }
  }

  // MARK: - The screen

  /// Draws the screen if it isn't up to date.
  private func draw() {
    let size = Terminal.size
    let elapsed = begin.duration(to: .now)
    let isActive = state.activity != .resting
    let now = Moment(
      columns: size.columns, rows: size.rows, tenths: isActive ? Int(elapsed / .seconds(0.1)) : 0,
      takings: terminal.takings)
    guard !isDrawn || now != drawn else { return }
    (isDrawn, drawn) = (true, now)
    let view = WatchView(
      repository: commands.repository,
      style: TextStyle(
        hasColours: commands.style.hasColours, width: size.columns - 2, cutsLines: true,
        linkRoot: commands.style.linkRoot),
      columns: size.columns, rows: size.rows, tick: now.tenths,
      seconds: Int(elapsed / .seconds(1)), hasEditor: editor != nil)
    terminal.draw(view.draw(&state))
  }
}

/// Detects when a file was saved.
final class SavedFile {
  private var mark: FileStamp?
  private var isKnown = false
  /// How many times in a row the file was missing.
  private var absences = 0
  /// An editor takes less time than this many checks, of 0.05 s each.
  private static let mostAbsences = 20

  /// Whether the file has changed since the last call; true at the first call.
  ///
  /// A missing file hasn't been saved: some editors remove it for a moment, and an answer may
  /// delete itself, which the runner repairs. If no run is active and the file stays missing, that
  /// is a change.
  func hasChanged(at file: URL, noticesAbsence: Bool = false) -> Bool {
    let now = FileStamp(file)
    absences = now == nil && noticesAbsence ? absences + 1 : 0
    if isKnown, now == mark || now == nil && absences < Self.mostAbsences { return false }
    (mark, isKnown) = (now, true)
    return true
  }

  /// Makes the next check report a change.
  func forget() { isKnown = false }
}

/// Messages from runs to the thread that draws.
final class Mailbox: Sendable {
  enum Content: Sendable {
    case event(Judge.Event)
    case end(WatchState.Outcome)
    case notice(String)
  }

  struct Message: Sendable {
    /// The number of the run that sent it; nil if no run did.
    let run: Int?
    let content: Content
  }

  private let messages = Mutex<[Message]>([])
  private let terminal: Terminal

  init(_ terminal: Terminal) {
    self.terminal = terminal
  }

  func post(_ content: Content, from run: Int?) {
    messages.withLock { $0.append(Message(run: run, content: content)) }
    terminal.wake()
  }

  /// The messages since the last call.
  func take() -> [Message] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
