import Foundation

/// What SwiftPM does to build the specs once the learner's files are all that has changed.
///
/// Taken from the plan that SwiftPM leaves in its build folder: the commands that lie downstream of
/// the learner's files, word for word. Everything else has been done, and stays done.
///
/// Source: `debug.yaml` in the build folder, as SwiftPM 6.2 and 6.3 write it for llbuild.
struct BuildPlan {
  /// The folders whose files are compiled, the learner's among them; absolute paths.
  let folders: [String]
  /// The compiler that the commands call.
  let compiler: String
  /// The command that links the specs: the compiler's driver with its arguments.
  let linking: [String]
  private let program: String
  private let commands: [Command]

  /// One command of the plan.
  fileprivate struct Command {
    /// Its lines, as they stand in the plan.
    var lines: [Substring] = []
    var tool = ""
    var inputs: [String] = []
    var outputs: [String] = []
    var arguments: [String] = []

    /// Whether it compiles what SwiftPM has written itself: the entry point of the tests, and the
    /// list of those that are classes.
    ///
    /// Neither can change as long as the specs don't.
    var compilesGeneratedSources: Bool {
      let sources = inputs.filter { $0.hasSuffix(".swift") }
      return !sources.isEmpty && sources.allSatisfy { $0.contains(".derived/") }
    }
  }

  /// SwiftPM's own tools, and what has phony outputs: all done when SwiftPM has built.
  private static let settledTools: Set = [
    "phony", "write-auxiliary-file", "test-discovery-tool", "test-entry-point-tool",
    "package-structure-tool",
  ]

  /// Reads a plan; nil where it isn't one that we understand to the last command.
  ///
  /// - Parameters:
  ///   - text: The plan.
  ///   - room: The folder of the learner's files, with all its modules; an absolute path.
  init?(_ text: String, room: String) {
    var section: Substring = ""
    var folders: [String] = []
    var commands: [Command] = []
    for line in text.split(separator: "\n") {
      if !line.hasPrefix(" ") {
        section = line
      } else if section == "nodes:", line.hasPrefix("  \""), line.hasSuffix("/\":") {
        folders += Self.strings(in: line.dropLast())
      } else if section == "commands:" {
        if line.hasPrefix("  \"") { commands.append(Command()) }
        guard !commands.isEmpty else { return nil }
        commands[commands.count - 1].take(line)
      }
    }
    self.folders = folders

    var changed = Set<String>()
    var kept: [Command] = []
    let known = Self.settledTools.union(["shell"])
    guard commands.allSatisfy({ known.contains($0.tool) }) else { return nil }
    var rest = commands.filter { $0.tool == "shell" && !$0.compilesGeneratedSources }
    while let next = rest.firstIndex(where: {
      $0.inputs.contains { $0.hasPrefix(room + "/") || changed.contains($0) }
    }) {
      let command = rest.remove(at: next)
      changed.formUnion(command.outputs)
      kept.append(command)
    }
    let compilers = Set(kept.compactMap(\.arguments.first))
    let links = kept.filter { $0.outputs.contains { $0.hasSuffix(".xctest") } }
    guard links.count == 1, links[0].outputs.count == 1, compilers.count == 1,
      let compiler = compilers.first
    else { return nil }
    self.compiler = compiler
    linking = links[0].arguments
    program = links[0].outputs[0]
    self.commands = kept
  }

  /// The commands as `swift-build-tool` reads them; linked by `script`, a line for a shell, if any.
  func manifest(linkingBy script: String?) -> String {
    let texts = commands.map { command in
      guard let script, command.arguments == linking,
        let list = try? Self.encoder.encode(["/bin/sh", "-ec", script])
      else { return command.text }
      return command.text(calling: String(decoding: list, as: UTF8.self))
    }
    return """
      client:
        name: swift-build
      tools: {}
      targets:
        "specs": ["\(program)"]
      default: "specs"
      commands:
      \(texts.joined(separator: "\n\n"))

      """
  }

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return encoder
  }()

  /// The strings in a line of the plan, which are written as in JSON.
  fileprivate static func strings(in line: some StringProtocol) -> [String] {
    guard let start = line.firstIndex(of: "\""), let end = line.lastIndex(of: "\"") else {
      return []
    }
    let list = Data("[\(line[start...end])]".utf8)
    return (try? JSONDecoder().decode([String].self, from: list)) ?? []
  }
}

extension BuildPlan.Command {
  /// Takes in the next of its lines.
  mutating fileprivate func take(_ line: Substring) {
    lines.append(line)
    if line.hasPrefix("    tool: ") {
      tool = String(line.dropFirst("    tool: ".count))
    } else if line.hasPrefix("    inputs: ") {
      inputs = BuildPlan.strings(in: line)
    } else if line.hasPrefix("    outputs: ") {
      outputs = BuildPlan.strings(in: line)
    } else if line.hasPrefix("    args: ") {
      arguments = BuildPlan.strings(in: line)
    }
  }

  /// Its text, but for the option that makes the compiler report to SwiftPM instead of to people.
  fileprivate var text: String {
    lines.joined(separator: "\n").replacingOccurrences(of: "\"-parseable-output\",", with: "")
  }

  /// Its text with other arguments.
  fileprivate func text(calling arguments: String) -> String {
    lines.map { $0.hasPrefix("    args: ") ? "    args: \(arguments)" : String($0) }
      .joined(separator: "\n")
  }
}
