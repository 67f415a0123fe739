import Foundation

extension Commands {
  /// Judges a kata whenever its file is saved, until the learner quits.
  ///
  /// Without a terminal it prints one verdict. On a terminal that can't move its cursor, it prints
  /// verdicts one below the other. A save stops the current run.
  package func watch(_ name: String?, terminal: Terminal?) throws -> ExitCode {
    guard let terminal else { return try run(name, asJSON: false) }
    let kata = try katas(name)[0]
    if terminal.isDumb { return try watchPlainly(kata, terminal) }
    let session = WatchSession(kata, self, on: terminal)
    let last = session.run()
    if let verdict = session.verdict {
      print("\(VerdictText(repository: repository, style: style).headline(verdict))\n")
    }
    let progress = progress.read().progress
    let done = Catalogue.katas.count { progress.isDone($0) }
    print("\(done) of \(Catalogue.katas.count) done. 'make kata' continues.\n")
    return progress.isDone(last) ? .done : .notDone
  }

  func makeJudge() -> Judge {
    Judge(repository: repository, timeout: timeout ?? Judge.defaultTimeout, way: way)
  }

  // MARK: - Line by line

  private func watchPlainly(_ kata: Kata, _ terminal: Terminal) throws -> ExitCode {
    var kata = kata
    terminal.takeOver()
    defer { terminal.giveBack() }
    let saved = SavedFile()
    var run: CancellableThread?
    defer { run?.stop() }
    while true {
      if saved.hasChanged(at: repository.url(repository.learnerPath(of: kata))) {
        run?.stop()
        print("\n")
        run = CancellableThread { [kata] stop in judgePlainly(kata, stop) }
      }
      for key in terminal.keys(within: 0.1) {
        do {
          switch key {
          case .character("q"), .endOfInput: return readProgress().isDone(kata) ? .done : .notDone
          case .character("h"): _ = try hint(kata.name)
          case .character("d"): _ = try page(kata.name)
          case .character("l"): _ = try list(asJSON: false)
          case .character("s"): _ = try solution(kata.name, anyway: false)
          case .character("r"): saved.forget()
          case .character("n"), .character("p"):
            let state = WatchState(kata: kata, progress: readProgress())
            kata = (key == .character("n") ? state.next : state.previous) ?? kata
            saved.forget()
          default: break
          }
        } catch {
          // What a handout lacks doesn't end the command.
          print("\n\(style.reflow("\(error)", indent: 0))\n")
        }
      }
    }
  }

  private func judgePlainly(_ kata: Kata, _ stop: CancellationFlag) {
    do {
      guard let verdict = try judge(kata, stop: stop) else { return }
      try record(verdict)
    } catch {
      print("\n\(style.reflow("\(error)", indent: 0))\n")
    }
    print(
      "\nSave to run again; h hint, d docs, n next, p previous, r run, l list, s solution, q quit\n"
    )
  }
}
