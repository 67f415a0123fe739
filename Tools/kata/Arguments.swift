import Foundation
import KataKit

/// The commands, in the order of the usage text.
enum Command: String, CaseIterable {
  case watch, run, list, hint, solution, reset, verify, mutate, report, grade, export
  case `import`
  case handout, scoreboard
  case doctor, docs

  /// What a command is about.
  enum Subject {
    case kata, katas, file, folder, folders, nothing
  }

  var subject: Subject {
    switch self {
    case .watch, .run, .hint, .solution, .reset, .verify, .mutate, .report: .kata
    case .handout: .katas
    case .import: .file
    case .scoreboard: .folder
    case .grade: .folders
    case .list, .export, .doctor, .docs: .nothing
    }
  }
}

/// The options, and what each goes with.
enum Option: String, CaseIterable, CustomStringConvertible {
  case json, yes, stress, diagnosis, replay, format, output, name, check
  case references, docs, classroom, refresh
  case kata, shard, merge
  case noRaces = "no-races"

  var description: String { rawValue }

  /// What must be known of an option to read it.
  struct Rule {
    let commands: [Command]
    /// What its value is, in words, and a command line that shows one; nil where it has none.
    var value: (words: String, example: String)?
    /// Whether a value makes sense.
    var accepts: (String) -> Bool = { !$0.isEmpty }
  }

  var rule: Rule {
    switch self {
    case .json: Rule(commands: [.run, .list, .verify, .mutate])
    case .yes: Rule(commands: [.solution])
    case .stress:
      Rule(
        commands: [.verify], value: ("a whole number from 1 up", "kata verify --stress 20"),
        accepts: { Int($0).map { $0 > 0 } ?? false })
    case .diagnosis, .replay: Rule(commands: [.verify])
    case .format:
      Rule(
        commands: [.report], value: ("json, junit or exercism", "kata report --format junit"),
        accepts: { ReportFormat(rawValue: $0) != nil })
    case .output:
      Rule(
        commands: [.report, .export, .grade, .handout, .scoreboard],
        value: ("a file", "kata export --output progress.json"))
    case .name:
      Rule(commands: [.export], value: ("a name", "kata export --name Ada"))
    case .references, .docs, .classroom: Rule(commands: [.handout])
    case .refresh:
      Rule(
        commands: [.scoreboard],
        value: ("a whole number of seconds from 1 up", "kata scoreboard handed-in --refresh 30"),
        accepts: { Int($0).map { $0 > 0 } ?? false })
    case .kata:
      Rule(
        commands: [.grade], value: ("a kata, a module or all", "kata grade folder --kata Barriers"))
    case .shard:
      Rule(
        commands: [.grade], value: ("a part of how many", "kata grade folder --shard 2/5"),
        accepts: { Shard($0) != nil })
    case .merge, .noRaces: Rule(commands: [.grade])
    case .check:
      Rule(commands: [.docs], value: ("a folder", "kata docs --check .build/docs/site"))
    }
  }
}

/// What stands on the command line.
struct Arguments {
  private(set) var command = Command.watch
  /// The names of a kata, a file or folders.
  private(set) var subjects: [String] = []
  /// The name of a kata or of a file.
  var subject: String? { subjects.first }
  /// The options that were given, with their values; of a repeated one the last.
  private var given: [Option: String] = [:]

  func has(_ option: Option) -> Bool { given[option] != nil }
  subscript(option: Option) -> String? { given[option] }

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
      guard let known = Command(rawValue: first) else {
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
      guard parts.count == 1 else { throw KataError("--\(option) takes no value.", .usage) }
      given[option] = ""
      return
    }
    let text = parts.count > 1 ? parts[1] : rest.popFirst()
    guard let text, rule.accepts(text) else {
      throw KataError("--\(option) takes \(value.words): '\(value.example)'.", .usage)
    }
    given[option] = text
  }

  /// Refuses what doesn't go together.
  private func check(_ subjects: ArraySlice<String>) throws {
    let most = command.subject == .nothing ? 0 : command.subject == .folders ? Int.max : 1
    if let extra = subjects.dropFirst(most).first {
      let advice =
        switch command.subject {
        case .kata: "name one kata at a time"
        case .katas: "put commas between the katas"
        case .file: "name one file"
        case .folder: "name one folder"
        case .nothing, .folders: "\(command) takes no name"
        }
      throw KataError("'\(extra)' is one word too many; \(advice).", .usage)
    }
    for option in Option.allCases where has(option) && !option.rule.commands.contains(command) {
      let names = option.rule.commands.map(\.rawValue)
      let list =
        names.count < 2
        ? names[0] : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
      throw KataError("--\(option) goes with \(list), not with \(command).", .usage)
    }
    if has(.diagnosis), has(.stress) {
      throw KataError("--stress goes with a proof, not with --diagnosis.", .usage)
    }
    if has(.replay), !has(.diagnosis) {
      throw KataError("--replay goes with 'verify --diagnosis'.", .usage)
    }
  }
}
