import Foundation

extension Commands {
  /// Judges a kata whenever its file is saved, until the learner quits.
  ///
  /// Without a terminal it prints one verdict. A save stops the run under way.
  public func watch(_ name: String?, terminal: Terminal?) throws -> ExitCode {
    guard let terminal else { return try run(name, asJSON: false) }
    var kata = try katas(name)[0]
    terminal.takeKeys()
    defer { terminal.giveBack() }
    var saved: FileMark?
    var job: WatchedRun?
    defer { job?.stop() }
    while true {
      let mark = FileMark(house.url(house.learnerPath(of: kata)))
      if mark != saved {
        job?.stop()
        saved = mark
        print("\n\(style.dim(String(repeating: "─", count: style.width)))\n")
        job = WatchedRun(kata, self)
      }
      switch terminal.key(within: 0.1) {
      case "q":
        return readProgress().isDone(kata) ? .done : .notDone
      case "h":
        _ = try hint(kata.name)
      case "n":
        job?.stop()
        let index = Catalogue.katas.firstIndex { $0.name == kata.name } ?? 0
        let after = Catalogue.katas[(index + 1)...] + Catalogue.katas[..<index]
        let progress = readProgress()
        kata = after.first { !progress.isDone($0) } ?? kata
        saved = nil
      case "r":
        saved = nil
      case "l":
        _ = try list(asJSON: false)
      case "s":
        _ = try solution(kata.name, anyway: false)
      default:
        break
      }
    }
  }
}

/// A judgement on a thread of its own, which a save or a key may stop.
private final class WatchedRun: Sendable {
  private let signal = StopSignal()
  private let finished = DispatchSemaphore(value: 0)

  init(_ kata: Kata, _ commands: Commands) {
    let (signal, finished) = (signal, finished)
    Thread.detachNewThread {
      defer { finished.signal() }
      do {
        guard let verdict = try commands.judge(kata, stop: signal) else { return }
        try commands.record(verdict)
      } catch {
        commands.print("\n\(commands.style.reflow("\(error)", indent: 0))\n")
      }
      commands.print(
        commands.style.dim(
          "\nSave to run again · h hint · n next · r run · l list · s solution · q quit\n"))
    }
  }

  /// Stops the run and waits for its end.
  func stop() {
    signal.stop()
    finished.wait()
    finished.signal()
  }
}
