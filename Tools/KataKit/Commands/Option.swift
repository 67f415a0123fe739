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
