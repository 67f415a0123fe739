/// A program, by its users.
///
/// Learners need only the first. The others are built when one of their commands is used, and the
/// first hands their commands over to them.
package enum Tool: String {
  case kata
  case author = "kata-author"
  case teacher = "kata-teacher"
}

/// The commands, in the order of the usage.
package enum KataCommand: String, CaseIterable {
  case watch, run, list, page, hint, solution, reset, new, verify, mutate, soak, report, judge,
    grade, export
  case `import`
  case handout, scoreboard
  case doctor, docs

  /// What a command is about.
  enum Subject {
    case kata, katas, file, files, folder, folders, nothing
  }

  var subject: Subject {
    switch self {
    case .watch, .run, .page, .hint, .solution, .reset, .new, .verify, .mutate, .soak,
      .report:
      .kata
    case .handout: .katas
    case .import: .file
    case .judge: .files
    case .scoreboard: .folder
    case .grade: .folders
    case .list, .export, .doctor, .docs: .nothing
    }
  }

  /// The program that runs it.
  var tool: Tool {
    switch self {
    case .watch, .run, .list, .page, .hint, .solution, .reset, .export, .import, .doctor: .kata
    case .new, .verify, .mutate, .soak, .docs: .author
    case .report, .judge, .grade, .handout, .scoreboard: .teacher
    }
  }

  /// Its line in the usage: its operand, and what it does.
  var help: (operand: String, text: String) {
    switch self {
    case .watch: ("[kata]", "judge a kata whenever it's saved (the default)")
    case .run: ("[kata|module|all]", "judge once; without a name, the kata worked on last")
    case .list: ("", "all katas, and what is done")
    case .page: ("[kata|module]", "the kata's page, or the module's chapter, as text")
    case .hint: ("[kata]", "the next hint")
    case .solution: ("kata", "how the reference differs from your file")
    case .reset: ("kata", "restore the stub; your text is kept beside it")
    case .new: ("kata", "create the files of a new kata, for its author to write")
    case .verify:
      ("[kata|module|all]", "prove that specs reject what they must and accept what they must")
    case .mutate:
      ("[kata|module|all]", "judge mutants of the reference, made by rule: which pass?")
    case .soak:
      ("[kata|module|all]", "judge the right answers again and again: does one ever fail?")
    case .report:
      (
        "[kata|module|all]",
        "judge once and write a report for programs; without a name, all katas"
      )
    case .judge:
      ("file…", "judge code of your own, where it lies, by the spec of a kata")
    case .grade: ("folder…", "judge submissions, each in a clean copy of the files it needs")
    case .export: ("", "write your progress, for another machine or a scoreboard")
    case .import: ("file", "import progress that export has written")
    case .handout:
      ("[katas]", "one archive for participants; separate katas and modules with commas")
    case .scoreboard: ("folder", "one page of the exported progress in a folder")
    case .doctor: ("", "whether this machine has what the katas need")
    case .docs: ("", "write the complete documentation, for DocC to build")
    }
  }
}
