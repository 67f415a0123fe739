import Foundation

extension Commands {
  /// Writes the learner's progress to a file, or to standard output if `output` is nil.
  ///
  /// `name` is the learner's name, for a collection of such files.
  package func export(to output: String?, name: String?) throws -> ExitCode {
    let name = try name.map(SharedProgress.checked)
    let file = output.map(OutputFile.init)
    try file?.check()
    // As an update without changes, so that an unreadable file isn't exported as nothing done.
    var progress = Progress()
    try updateProgress { progress = $0 }
    let text = try JSONText.of(SharedProgress(progress, name: name))
    guard let file else {
      print(text)
      return .done
    }
    try file.write(text)
    print("\(doneCount(progress)) The progress is in \(file.path).\n")
    return .done
  }

  /// Imports progress that `export` has written, here or on another machine.
  ///
  /// Done katas stay done; importing the same file again changes nothing.
  package func importProgress(from path: String?) throws -> ExitCode {
    guard let path else {
      throw KataError("Which file? Name it: 'make import IN=progress.json'.", .usage)
    }
    let shared = try SharedProgress.read(path)
    var before = Progress()
    var after = Progress()
    try updateProgress {
      before = $0
      $0.merge(shared.progress)
      after = $0
    }
    let new = Catalogue.katas.filter { after.isDone($0) && !before.isDone($0) }.map(\.name)
    let names = new.isEmpty ? "" : ": \(new.joined(separator: ", "))"
    let sentence =
      "\(count(new.count, "kata") ?? "No kata") \(new.count > 1 ? "were" : "was") new\(names). "
      + doneCount(after)
    print("\(style.reflow(sentence, indent: 0))\n")
    let known = Set(Catalogue.katas.map(\.name))
    let unknown = Set(shared.progress.done.keys).subtracting(known).count
    if let katas = count(unknown, "kata") {
      print(
        "\(katas) in it \(unknown > 1 ? "aren't" : "isn't") in this version; their progress is kept.\n"
      )
    }
    return .done
  }

  /// Changes the progress; warns if its file had to be set aside.
  func updateProgress(_ change: (inout Progress) -> Void) throws {
    if let warning = try progress.update(change) { warn(warning) }
  }

  /// Prints a warning about the progress, beside the output of a command.
  package func warn(_ sentence: String) {
    tell("\(style.reflow(sentence, indent: 0))\n")
  }

  private func doneCount(_ progress: Progress) -> String {
    let done = Catalogue.katas.count { progress.isDone($0) }
    return "\(done) of \(Catalogue.katas.count) \(done == 1 ? "is" : "are") done."
  }

  private func count(_ number: Int, _ word: String) -> String? {
    number == 0 ? nil : number == 1 ? "1 \(word)" : "\(number) \(word)s"
  }
}
