import Foundation
import Testing

@testable import KataKit

extension OwnBuildTests {
  /// How `make` builds the tools.
  @Suite struct ToolBuildTests {
    private let clone: Clone

    init() throws {
      clone = try Clone()
    }

    @Test func `the compiler alone makes the learners' tool, and only after a change`() throws {
      let path = try clone.path(with: ["swift": "echo 'SwiftPM was run'; exit 1"])
      let first = try build(path)
      #expect(first.code == 0 && first.text.hasPrefix("Building kata; "), "\(first.text)")
      let second = try build(clone.path(with: ["swift": "exit 1", "swiftc": "exit 1"]))
      #expect(second.code == 0 && second.text.isEmpty, "\(second.text)")
      try clone.repository.write(
        "let broken: Int = \"\"\n", to: "Tools/KataKit/Catalogue/Broken.swift")
      let third = try build(path)
      #expect(third.code == 3 && third.text.hasPrefix("SwiftPM was run"), "\(third.text)")
      let left = try FileManager.default.contentsOfDirectory(
        atPath: clone.repository.url(".build/tools").path)
      #expect(left == ["kata.built"], "Nothing else is left.")
      let list = clone.repository.url(".build/kata")
      #expect(try build(path, list.path, ["list"]).text.contains("ExecutionOrder"))
    }

    @Test func `where the compiler alone is refused, SwiftPM makes the tool`() throws {
      let swift = try #require(Toolchain.find("swift"))
      let path = try clone.path(with: [
        "swift": "exec '\(swift)' \"$@\"", "swiftc": "echo refused; exit 1",
      ])
      let built = try build(path)
      #expect(built.code == 0 && !built.text.contains("refused"), "\(built.text)")
    }

    @Test func `one sentence says what prevents a build`() throws {
      let lacking = try build("/nowhere")
      #expect(lacking.code == 3 && lacking.text.hasPrefix("There is no 'swift' on the PATH; "))
      try clone.repository.write("", to: ".build")
      let closed = try build(clone.path(with: [:]))
      #expect(closed.code == 3 && closed.text.hasPrefix("This folder can't be written; "))
    }

    private func build(
      _ path: String, _ program: String = "/bin/sh",
      _ arguments: [String] = ["Tools/build", "kata"]
    ) throws -> (code: Int32, text: String) {
      let process = ChildProcess(
        program, arguments, environment: ["PATH": path, "KATA_BUILD_SYSTEM": ""], in: clone.root)
      try process.start()
      guard case .exited(let code) = process.waitForEnd() else {
        throw KataError("The build was killed.", .environment)
      }
      return (code, process.output)
    }
  }
}
