/// The options, and the commands that they belong to.
package enum Option: String, CaseIterable, CustomStringConvertible {
  case json, yes, all, stress, named, minutes, diagnosis, replay, format, output
  case kata, shard, merge
  case `as`, adapter, scenario
  case isolate
  case noRaces = "no-races"
  case name, references, docs, classroom, refresh, module, check

  package var description: String { rawValue }

  /// Its variable for make; nil if make doesn't have it.
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

  /// The option as make and the program have it.
  var spelling: String { variable.map { "\($0) (--\(self))" } ?? "--\(self)" }

  /// What is needed to read and explain an option.
  struct Rule {
    let commands: [KataCommand]
    let help: String
    /// Its value: a name for the usage, a description, and a command line as an example; nil if it
    /// has no value.
    var value: (name: String, words: String, example: String)?
    /// Whether a value is valid.
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
        commands: [.soak], help: "how long, after everything is compiled; 10 by default",
        value: ("N", "a number of minutes above 0", "make soak MINUTES=60"),
        accepts: { Double($0).map { $0 > 0 && $0.isFinite } ?? false })
    case .diagnosis: Rule(commands: [.verify], help: "measure how often \"looks like\" is right")
    case .named:
      Rule(
        commands: [.verify],
        help: "run only the tests that Kata.md names for each mistake; write nothing")
    case .replay:
      Rule(
        commands: [.verify],
        help: "with --diagnosis: diagnose the failures of the last run again")
    case .format:
      Rule(
        commands: [.report, .judge],
        help:
          "json, junit, or exercism for a report; json by default, text for judge",
        value: ("FORMAT", "json, junit or exercism", "make report FORMAT=junit"),
        accepts: { ReportFormat(rawValue: $0) != nil })
    case .output:
      Rule(
        commands: [.report, .judge, .export, .grade, .handout, .scoreboard],
        help: "where to write it; a folder for grade",
        value: ("FILE", "a file", "make export OUT=progress.json"))
    case .kata:
      Rule(
        commands: [.grade], help: "which katas count; all by default",
        value: (
          "KATA|MODULE|all", "a kata, a module or all", "make grade FROM=folder KATA=Barriers"
        ))
    case .shard:
      Rule(
        commands: [.grade], help: "judge the second of five parts",
        value: ("2/5", "a part of how many", "make grade FROM=folder SHARD=2/5"),
        accepts: { Shard($0) != nil })
    case .merge: Rule(commands: [.grade], help: "merge the results in folders")
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
        help: "isolate runs from the network, your files and each other (Linux, bubblewrap)")
    case .noRaces: Rule(commands: [.grade], help: "don't check passing answers for data races")
    case .name:
      Rule(
        commands: [.export], help: "the learner's name",
        value: ("NAME", "a name", "make export WHO=Ada"))
    case .references: Rule(commands: [.handout], help: "include the references")
    case .docs:
      Rule(commands: [.handout], help: "include the documentation's site, if it's built")
    case .classroom:
      Rule(commands: [.handout], help: "make a template folder for GitHub Classroom instead")
    case .refresh:
      Rule(
        commands: [.scoreboard], help: "how often the page reloads itself",
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
        commands: [.docs], help: "check a built site for dead links",
        value: ("FOLDER", "a folder", "kata-author docs --check .build/docs/site"))
    }
  }
}
