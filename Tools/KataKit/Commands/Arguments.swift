/// The arguments of the command line.
package struct Arguments {
  package private(set) var command = KataCommand.watch
  /// The names of a kata, a file or folders.
  package private(set) var subjects: [String] = []
  /// The name of a kata or of a file.
  package var subject: String? { subjects.first }
  /// The options that were given, with their values; if one is repeated, the last counts.
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

  /// Reads an option and its value: the next word, or the text after an equals sign.
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

  /// Rejects combinations that aren't valid.
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
          "Either a kata's spec judges your code or a scenario of your own; give AS or SCENARIO, not both.",
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
