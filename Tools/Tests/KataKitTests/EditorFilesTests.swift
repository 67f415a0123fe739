import Foundation
import Testing

@testable import KataKit

/// The files that editors read: valid JSON, and about things that exist.
@Suite struct EditorFilesTests {
  private static let repository = Fixtures.repository

  @Test func `every task calls something that exists`() throws {
    let makefile = try Self.repository.text("Makefile")
    let tasks = try Self.tasks()
    #expect(Set(tasks.map(\.label)).count == tasks.count)
    for task in tasks {
      let words = task.command.split(separator: " ").map(String.init)
      switch words.first {
      case "make": #expect(makefile.contains("\n\(words[1]): "), "\(task.command)")
      default: Issue.record("'\(task.command)' isn't make's")
      }
    }
  }

  @Test func `make knows every option of the commands, and no other`() throws {
    let makefile = try Self.repository.text("Makefile")
    let known = makefile.matches(
      of: #/\$\(call (?:flag|option),([a-z-]+),[A-Z_]+\)| --([a-z]+) \$\(OPTIONS\)/#
    )
    .map { String($0.1 ?? $0.2 ?? "") }
    // Links are checked as a part of 'make docs'.
    let options = Option.allCases.filter { $0 != .check }
    #expect(known.sorted() == options.map(\.rawValue).sorted())
    for option in options where option != .diagnosis {
      let variable = try #require(option.variable)
      #expect(makefile.contains(",\(option),\(variable))"), "\(option)")
    }
    for option in options {
      let pattern = option.rule.value == nil ? "flag" : "option"
      #expect(
        option == .diagnosis || makefile.contains("$(call \(pattern),\(option),"), "\(option)")
    }
  }

  @Test func `make has a target for every command`() throws {
    let makefile = try Self.repository.text("Makefile")
    for command in KataCommand.allCases {
      let program = command.tool.rawValue.replacing("kata", with: "$(KATA_TOOL)")
      #expect(makefile.contains("\t@\(program) \(command.rawValue)"), "\(command)")
    }
  }

  @Test func `the manifest has the modules in teaching order`() throws {
    let manifest = try Self.repository.text("Package.swift")
    let katas = try #require(manifest.firstMatch(of: #/let katas: .*?\]\n\n/#.dotMatchesNewlines()))
    let names = katas.0.matches(of: #/ Module\("(\w+)"/#).map { String($0.1) }
    #expect(names == Module.allCases.map(\.rawValue))
    #expect(names == Catalogue.modules.map(\.rawValue))
  }

  @Test func `the open file names its kata, whichever of its files that is`() throws {
    let file = "Tests/BarriersTests/PhotoStore/PhotoStoreTests_EverySchedule.swift"
    #expect(try Catalogue.kata(named: file).name == "PhotoStore")
    let tasks = try Self.tasks().filter { $0.command.contains("KATA=") }
    #expect(tasks.count == 4)
    for task in tasks {
      let command = task.command.replacing("${relativeFile}", with: file)
      let shell = ChildProcess(
        "/bin/sh", ["-c", "make() { printf '%s ' \"$@\"; }; \(command)"], in: Self.repository.root)
      try shell.start()
      #expect(shell.waitForEnd() == .exited(0))
      #expect(shell.output.hasSuffix(" KATA=\(file) "), "\(command): \(shell.output)")
    }
  }

  @Test func `folder and container recommend the same extension`() throws {
    let folder = try Self.read(".vscode/extensions.json", as: Recommendations.self)
    let container = try Self.read(".devcontainer/devcontainer.json", as: Container.self)
    #expect(folder.recommendations == ["swiftlang.swift-vscode"])
    #expect(container.customizations.vscode.extensions == folder.recommendations)
    let workflow = try Self.repository.text(".github/workflows/ci.yml")
    #expect(workflow.contains("image: \(container.image)\n"))
    #expect(container.postCreateCommand.hasSuffix("make doctor"))
  }

  // MARK: - Fixtures

  private struct Tasks: Decodable {
    let tasks: [Task]
  }

  private struct Task: Decodable {
    let label: String
    let command: String
  }

  private struct Recommendations: Decodable {
    let recommendations: [String]
  }

  private struct Container: Decodable {
    struct Customizations: Decodable {
      let vscode: Extensions
    }

    struct Extensions: Decodable {
      let extensions: [String]
    }

    let image: String
    let postCreateCommand: String
    let customizations: Customizations
  }

  private static func tasks() throws -> [Task] {
    try read(".vscode/tasks.json", as: Tasks.self).tasks
  }

  /// Reads strict JSON, without the comments that editors put up with.
  private static func read<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(try repository.text(path).utf8))
  }
}
