import Foundation
import Synchronization

/// A learner who watches a kata: keys and saved files in, runs and screens out.
///
/// Everything but the runs happens on the thread that calls ``run()``.
final class WatchSession {
  private let commands: Commands
  private let terminal: Terminal
  private var state: WatchState
  private let saved: SavedFile
  private let mailbox: Mailbox
  private let editor: EditorCommand?
  private var job: CancellableThread?
  /// How many runs have begun.
  private var runs = 0
  private var begin = ContinuousClock.now
  /// Whether the screen shows how things are, but for what moves by itself.
  private var isDrawn = false
  /// What else was drawn: the size of the window, and the tenths of a second that have passed.
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
  /// Blocks; the last kata that was open.
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

  /// The verdict that stood on the screen last.
  var verdict: Verdict? {
    if case .verdict(let verdict) = state.outcome { verdict } else { nil }
  }

  // MARK: - Runs

  /// Stops the run under way and begins another.
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
        // While the verdict is read, what the next pass will want is built.
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
        // The marks of the two files may be alike, and the kata is judged at once in any case.
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

  /// Where there is something to do in the learner's file; its beginning where nothing says so.
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
    // What goes wrong is told whatever run is under way then.
    try editor.open(file: commands.repository.url(file), line: line) { [mailbox] in
      mailbox.post(.notice($0), from: nil)
    }
  }

  // MARK: - The screen

  /// Draws the screen where it isn't as things are.
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

/// Tells when a file was saved.
final class SavedFile {
  private var mark: FileStamp?
  private var isKnown = false
  /// How often in a row it was away.
  private var absences = 0
  /// So many looks, of 0.05 s each, are more than an editor takes.
  private static let mostAbsences = 20

  /// Whether the file isn't what it was when this was asked last; the first time, it always is.
  ///
  /// A file that is away isn't saved: some editors take it away for a moment, and an answer may delete
  /// itself, which the runner mends. Where nothing runs and it stays away, that is a change.
  func hasChanged(at file: URL, noticesAbsence: Bool = false) -> Bool {
    let now = FileStamp(file)
    absences = now == nil && noticesAbsence ? absences + 1 : 0
    if isKnown, now == mark || now == nil && absences < Self.mostAbsences { return false }
    (mark, isKnown) = (now, true)
    return true
  }

  /// Whatever comes next is new.
  func forget() { isKnown = false }
}

/// What runs tell to the thread that draws.
final class Mailbox: Sendable {
  enum Content: Sendable {
    case event(Judge.Event)
    case end(WatchState.Outcome)
    case notice(String)
  }

  struct Message: Sendable {
    /// The number of the run that tells it; nil where no run does.
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

  /// The messages that have come since the last call.
  func take() -> [Message] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
