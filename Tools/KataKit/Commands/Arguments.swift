import Foundation

/// A program, and whom it's for.
///
/// Whoever works on katas needs the first alone. The others are built when one of their commands is asked
/// for, and the first hands their commands over to them.
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

  /// The program that does it.
  var tool: Tool {
    switch self {
    case .watch, .run, .list, .page, .hint, .solution, .reset, .export, .import, .doctor: .kata
    case .new, .verify, .mutate, .soak, .docs: .author
    case .report, .judge, .grade, .handout, .scoreboard: .teacher
    }
  }

  /// What the usage says of it: what stands behind its name, and what it does.
  var help: (operand: String, text: String) {
    switch self {
    case .watch: ("[kata]", "judge a kata whenever it's saved (the default)")
    case .run: ("[kata|module|all]", "judge once; without a name, the kata worked on last")
    case .list: ("", "all katas, and what is done")
    case .page: ("[kata|module]", "the kata's page, or the module's chapter, as text")
    case .hint: ("[kata]", "the next hint")
    case .solution: ("kata", "how the reference differs from your file")
    case .reset: ("kata", "the stub again; your text is kept beside it")
    case .new: ("kata", "lay out a new kata, for its author to write")
    case .verify:
      ("[kata|module|all]", "prove that specs reject what they must and accept what they must")
    case .mutate:
      ("[kata|module|all]", "judge the reference with small edits made by rule: which pass?")
    case .soak:
      ("[kata|module|all]", "judge the right answers again and again: does one ever fail?")
    case .report:
      (
        "[kata|module|all]",
        "judge once and write a report for programs; without a name, all katas"
      )
    case .judge:
      ("file…", "judge code of your own, where it lies, by the spec of a kata")
    case .grade: ("folder…", "judge submissions, each in a copy of what it needs")
    case .export: ("", "write your progress, for another machine or a scoreboard")
    case .import: ("file", "take in progress that export has written")
    case .handout:
      ("[katas]", "one archive for participants; katas and modules with commas between")
    case .scoreboard: ("folder", "one page of what many have exported into a folder")
    case .doctor: ("", "whether this machine has what the katas need")
    case .docs: ("", "write the complete documentation, for DocC to build")
    }
  }
}

/// The options, and what each goes with.
package enum Option: String, CaseIterable, CustomStringConvertible {
  case json, yes, all, stress, named, minutes, diagnosis, replay, format, output
  case kata, shard, merge
  case `as`, adapter, scenario
  case isolate
  case noRaces = "no-races"
  case name, references, docs, classroom, refresh, module, check

  package var description: String { rawValue }

  /// The variable that gives it to make; nil where make doesn't know it.
  var variable: String? {
    switch self {
    case .check, .diagnosis: nil
    case .kata: "KATA"
    case .output: "OUT"
    case .name: "WHO"
    case .noRaces: "NO_RACES"
    default: rawValue.uppercased()
    }
  }

  /// The option as it's given to make, and to the program.
  var spelling: String { variable.map { "\($0) (--\(self))" } ?? "--\(self)" }

  /// What must be known of an option to read it and to explain it.
  struct Rule {
    let commands: [KataCommand]
    let help: String
    /// Its value: a word for it in the usage, what it is, and a command line that shows one; nil where it
    /// has none.
    var value: (name: String, words: String, example: String)?
    /// Whether a value makes sense.
    var accepts: (String) -> Bool = { !$0.isEmpty }
  }

  var rule: Rule {
    switch self {
    case .json: Rule(commands: [.run, .list, .verify, .mutate, .soak], help: "print JSON")
    case .yes: Rule(commands: [.solution], help: "show it before the kata is done")
    case .all:
      Rule(
        commands: [.run, .solution],
        help: "show what each failing test says; show the whole reference")
    case .stress:
      Rule(
        commands: [.verify], help: "judge every answer N times, with busy cores",
        value: ("N", "a whole number from 1 up", "make verify STRESS=20"),
        accepts: { Int($0).map { $0 > 0 } ?? false })
    case .minutes:
      Rule(
        commands: [.soak], help: "how long, once all is compiled; 10 unless said otherwise",
        value: ("N", "a number of minutes above 0", "make soak MINUTES=60"),
        accepts: { Double($0).map { $0 > 0 && $0.isFinite } ?? false })
    case .diagnosis: Rule(commands: [.verify], help: "measure how often \"looks like\" is right")
    case .named:
      Rule(
        commands: [.verify],
        help: "run of each mistake's spec only the tests that Kata.md names; write nothing")
    case .replay:
      Rule(
        commands: [.verify],
        help: "with --diagnosis: guess again on what the last time has shown")
    case .format:
      Rule(
        commands: [.report, .judge],
        help:
          "json, junit, or for a report exercism; json unless said otherwise, and for judge text",
        value: ("FORMAT", "json, junit or exercism", "make report FORMAT=junit"),
        accepts: { ReportFormat(rawValue: $0) != nil })
    case .output:
      Rule(
        commands: [.report, .judge, .export, .grade, .handout, .scoreboard],
        help: "where to write it; a folder for grade",
        value: ("FILE", "a file", "make export OUT=progress.json"))
    case .kata:
      Rule(
        commands: [.grade], help: "what counts; all unless said otherwise",
        value: (
          "KATA|MODULE|all", "a kata, a module or all", "make grade FROM=folder KATA=Barriers"
        ))
    case .shard:
      Rule(
        commands: [.grade], help: "judge the second of five parts",
        value: ("2/5", "a part of how many", "make grade FROM=folder SHARD=2/5"),
        accepts: { Shard($0) != nil })
    case .merge: Rule(commands: [.grade], help: "put together the results in folders")
    case .as:
      Rule(
        commands: [.judge], help: "the kata whose spec judges it",
        value: ("KATA", "a kata", "make judge FILE=Store.swift AS=PhotoStore"))
    case .adapter:
      Rule(
        commands: [.judge], help: "a file that gives your code the kata's names",
        value: (
          "FILE", "a Swift file", "make judge FILE=Store.swift AS=PhotoStore ADAPTER=Adapter.swift"
        ))
    case .scenario:
      Rule(
        commands: [.judge],
        help: "tests of your own that explore schedules of it, in place of a kata's",
        value: ("FILE", "a Swift file", "make judge FILE=Account.swift SCENARIO=AccountTests.swift")
      )
    case .isolate:
      Rule(
        commands: [.grade],
        help: "keep every run from the network, your files and the others (Linux, bubblewrap)")
    case .noRaces: Rule(commands: [.grade], help: "don't look for data races in what passes")
    case .name:
      Rule(
        commands: [.export], help: "say whose progress it is",
        value: ("NAME", "a name", "make export WHO=Ada"))
    case .references: Rule(commands: [.handout], help: "put the references in")
    case .docs:
      Rule(commands: [.handout], help: "put the documentation's site in, once it is built")
    case .classroom:
      Rule(commands: [.handout], help: "make a template folder for GitHub Classroom instead")
    case .refresh:
      Rule(
        commands: [.scoreboard], help: "have the page load itself again this often",
        value: (
          "SECONDS", "a whole number of seconds from 1 up",
          "make scoreboard FROM=handed-in REFRESH=30"
        ),
        accepts: { Int($0).map { $0 > 0 } ?? false })
    case .module:
      Rule(
        commands: [.new], help: "the module that the kata belongs to",
        value: ("MODULE", "a module", "make new KATA=VisitCounter MODULE=Barriers"))
    case .check:
      Rule(
        commands: [.docs], help: "look for dead links in a built site",
        value: ("FOLDER", "a folder", "kata-author docs --check .build/docs/site"))
    }
  }
}

/// What stands on the command line.
package struct Arguments {
  package private(set) var command = KataCommand.watch
  /// The names of a kata, a file or folders.
  package private(set) var subjects: [String] = []
  /// The name of a kata or of a file.
  package var subject: String? { subjects.first }
  /// The options that were given, with their values; of a repeated one the last.
  private var given: [Option: String] = [:]

  package func has(_ option: Option) -> Bool { given[option] != nil }
  package subscript(option: Option) -> String? { given[option] }

  init(_ arguments: [String]) throws {
    var words: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word.hasPrefix("-") {
        try take(word, with: &rest)
      } else {
        words.append(word)
      }
    }
    if let first = words.first {
      guard let known = KataCommand(rawValue: first) else {
        throw KataError("There is no command '\(first)'; 'kata help' shows them all.", .usage)
      }
      command = known
    }
    subjects = Array(words.dropFirst())
    try check(words.dropFirst())
  }

  /// Reads an option, and its value: the next word, or what follows an equals sign.
  private mutating func take(_ word: String, with rest: inout ArraySlice<String>) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard let option = Option.allCases.first(where: { "--\($0)" == parts[0] }) else {
      throw KataError("There is no option '\(word)'; 'kata help' shows them all.", .usage)
    }
    let rule = option.rule
    guard let value = rule.value else {
      guard parts.count == 1 else { throw KataError("\(option.spelling) takes no value.", .usage) }
      given[option] = ""
      return
    }
    let text = parts.count > 1 ? parts[1] : rest.popFirst()
    guard let text, rule.accepts(text) else {
      throw KataError("\(option.spelling) takes \(value.words): '\(value.example)'.", .usage)
    }
    given[option] = text
  }

  /// Refuses what doesn't go together.
  private func check(_ subjects: ArraySlice<String>) throws {
    let most =
      command.subject == .nothing ? 0 : [.files, .folders].contains(command.subject) ? Int.max : 1
    if let extra = subjects.dropFirst(most).first {
      let advice =
        switch command.subject {
        case .kata: "name one kata at a time"
        case .katas: "put commas between the katas"
        case .file: "name one file"
        case .folder: "name one folder"
        case .nothing, .files, .folders: "\(command) takes no name"
        }
      throw KataError("'\(extra)' is one word too many; \(advice).", .usage)
    }
    for option in Option.allCases where has(option) && !option.rule.commands.contains(command) {
      let names = option.rule.commands.map(\.rawValue)
      let list =
        names.count < 2
        ? names[0] : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
      throw KataError("\(option.spelling) goes with \(list), not with \(command).", .usage)
    }
    if command == .judge {
      guard let file = subjects.first else {
        throw KataError(
          "Which code? Name a file or a folder: 'make judge FILE=Store.swift AS=PhotoStore'.",
          .usage)
      }
      guard has(.as) || has(.scenario) else {
        throw KataError(
          "By which kata's spec? Name it: 'make judge FILE=\(file) AS=PhotoStore'.",
          .usage)
      }
      guard !(has(.as) && has(.scenario)) else {
        throw KataError(
          "A kata's spec judges it, or a scenario of your own; give AS or SCENARIO, not both.",
          .usage)
      }
    }
    if has(.diagnosis), has(.stress) {
      throw KataError("STRESS (--stress) goes with a proof, not with --diagnosis.", .usage)
    }
    if has(.replay), !has(.diagnosis) {
      throw KataError("REPLAY (--replay) goes with 'make diagnosis'.", .usage)
    }
  }
}
