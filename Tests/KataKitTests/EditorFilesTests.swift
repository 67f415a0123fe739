import Foundation
import Testing

@testable import KataKit

/// The files that editors read: valid JSON, and about things that exist.
@Suite struct EditorFilesTests {
  private static let house = Fixtures.house

  @Test func `every task calls something that exists`() throws {
    let makefile = try Self.house.text("Makefile")
    let tasks = try Self.tasks()
    #expect(Set(tasks.map(\.label)).count == tasks.count)
    for task in tasks {
      let words = task.command.split(separator: " ").map(String.init)
      switch words.first {
      case "make": #expect(makefile.contains("\n\(words[1]): "), "\(task.command)")
      case "swift": #expect(task.command == "swift build --build-tests")
      default: Issue.record("'\(task.command)' is neither make's nor swift's")
      }
    }
  }

  @Test(arguments: ["PhotoStore", "PhotoStoreTests"])
  func `the open file names the kata, whether it's the stub or the spec`(file: String) throws {
    let tasks = try Self.tasks().filter { $0.command.contains("KATA=") }
    #expect(tasks.count == 3)
    for task in tasks {
      let command = task.command.replacing("${fileBasenameNoExtension}", with: file)
      let shell = ChildProcess(
        "/bin/sh", ["-c", "make() { printf '%s ' \"$@\"; }; \(command)"], in: Self.house.root)
      try shell.start()
      #expect(shell.waitForEnd() == .exited(0))
      #expect(shell.output.hasSuffix(" KATA=PhotoStore "), "\(command): \(shell.output)")
    }
  }

  @Test func `the debugger runs the specs of a module`() throws {
    let launch = try Self.read(".vscode/launch.json", as: Launch.self)
    let manifest = try Self.house.text("Package.swift")
    let name = try #require(manifest.firstMatch(of: #/Package\(\s*name: "(\w+)"/#)).1
    let labels = try Self.tasks().map(\.label)
    for configuration in launch.configurations {
      #expect(labels.contains(configuration.preLaunchTask))
      #expect(configuration.program.hasSuffix("/\(name)PackageTests.xctest"))
      #expect(configuration.args.last == "^${input:module}Tests[.]")
    }
    #expect(launch.inputs.map(\.id) == ["module"])
    #expect(launch.inputs.first?.options == Module.allCases.map(\.rawValue))
  }

  @Test func `folder and container recommend the same extension`() throws {
    let folder = try Self.read(".vscode/extensions.json", as: Recommendations.self)
    let container = try Self.read(".devcontainer/devcontainer.json", as: Container.self)
    #expect(folder.recommendations == ["swiftlang.swift-vscode"])
    #expect(container.customizations.vscode.extensions == folder.recommendations)
    let workflow = try Self.house.text(".github/workflows/ci.yml")
    #expect(workflow.contains("container: \(container.image)"))
    #expect(container.postCreateCommand.hasSuffix("make doctor"))
    let settings = try Self.read(".vscode/settings.json", as: [String: Bool].self)
    #expect(settings == ["swift.autoGenerateLaunchConfigurations": false])
  }

  // MARK: - Fixtures

  private struct Tasks: Decodable {
    let tasks: [Task]
  }

  private struct Task: Decodable {
    let label: String
    let command: String
  }

  private struct Launch: Decodable {
    struct Configuration: Decodable {
      let preLaunchTask: String
      let program: String
      let args: [String]
    }

    struct Input: Decodable {
      let id: String
      let options: [String]
    }

    let configurations: [Configuration]
    let inputs: [Input]
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
    try JSONDecoder().decode(type, from: Data(try house.text(path).utf8))
  }
}
