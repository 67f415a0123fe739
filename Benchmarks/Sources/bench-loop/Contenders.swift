import Foundation
import Measuring

extension Clone {
  /// Our loop: from the learner's file to the verdict of its spec.
  func judge() throws {
    let (output, code) = try Command(words: [tool, "run", kata.name], folder: root).run()
    guard code == 1, output.contains("✘") else {
      throw BenchmarkError("'kata run' gave no verdict:\n\(output)")
    }
  }

  /// A passing answer, including the check for data races.
  func judgeToTheEnd() throws {
    let (output, code) = try Command(words: [tool, "run", kata.name], folder: root).run()
    guard code == 0 else {
      throw BenchmarkError("'kata run' doesn't let the reference pass:\n\(output)")
    }
  }

  /// The loop without a runner.
  func swiftTest() throws {
    let (output, code) = try Command(
      words: [
        "swift", "test", "--build-system", "native", "--scratch-path", ".build/plain", "--filter",
        "^\(kata.module)Tests.\(kata.name)Tests/",
      ], folder: root
    ).run()
    guard code == 1, output.contains("issue") else {
      throw BenchmarkError("'swift test' gave no verdict:\n\(output)")
    }
  }
}

/// The minimal cost of a change of one file: compiling it and linking.
///
/// Runs only the commands of the compiler and the linker, as SwiftPM's native build system does for
/// `swift test`, without a build system that decides which to run.
struct Floor {
  private let commands: [Command]

  /// Reads the commands from the compiler's driver, which prints what it runs.
  ///
  /// - Parameter clone: A clone in which `swift test` has run. Its file is edited.
  /// - Throws: A `BenchmarkError` unless the commands are one compiler's and one linker's.
  init(of clone: Clone) throws {
    let plan = try clone.text(".build/plain/debug.yaml").split(separator: "\n")
    /// The arguments of the plan's command whose name has this beginning and end.
    func arguments(of name: String, _ kind: String) throws -> [String] {
      guard
        let start = plan.firstIndex(where: {
          $0.hasPrefix("  \"\(name)") && $0.hasSuffix(".\(kind)\":")
        }),
        let line = plan[start...].first(where: { $0.hasPrefix("    args: ") })
      else {
        throw BenchmarkError("SwiftPM's plan has no command '\(name)'.")
      }
      let list = Data(line.dropFirst("    args: ".count).utf8)
      return try JSONDecoder().decode([String].self, from: list).filter {
        $0 != "-parseable-output"
      }
    }
    /// The commands that a driver runs.
    func called(by driver: [String]) throws -> [[String]] {
      let output = try Command(words: driver + ["-v"], folder: clone.root).run().output
      return output.split(separator: "\n").filter { $0.hasPrefix("/") }
        .map { $0.split(separator: " ").map { $0.trimmingCharacters(in: ["'"]) } }
    }
    try clone.save(.body)
    let compiler = try called(by: try arguments(of: "C.\(clone.kata.module)Katas-", "module"))
      .filter {
        $0.contains("-c") && $0.contains("-primary-file")
      }
    // Its list of libraries is in a temporary folder that no longer exists.
    let linker = try called(by: try arguments(of: "C.ConcurrencyKatasPackageTests-", "test")).map {
      $0.map {
        $0.replacing(#/\/tmp\/TemporaryDirectory\.\w+/#, with: "\(clone.root.path)/.build")
      }
    }
    guard compiler.count == 1, linker.count == 2 else {
      throw BenchmarkError("The compiler's driver calls others than one compiler and one linker.")
    }
    try Command(words: linker[0], folder: clone.root).run()
    commands = [compiler[0], linker[1]].map { Command(words: $0, folder: clone.root) }
  }

  func build() throws {
    for command in commands {
      let (output, code) = try command.run()
      guard code == 0 else {
        throw BenchmarkError("The floor doesn't build: …\(output.suffix(500))")
      }
    }
  }
}
