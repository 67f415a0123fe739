import Foundation
import Testing

@testable import KataKit

extension OwnBuildTests {
  /// What a participant does with a handout.
  @Suite struct HandoutJudgingTests {
    private let clone: Clone

    init() throws {
      clone = try Clone()
    }

    @Test func `from the archive to a verdict nothing else is needed`() throws {
      let repository = try clone.unpackedHandout(["ExecutionOrder"])
      let kata = try Catalogue.kata(named: "ExecutionOrder")
      let stub = try make("run", in: repository)
      #expect(stub.contains("ExecutionOrder · not started"), "\(stub)")
      let answer = try clone.repository.text(clone.repository.referencePath(of: kata))
      try repository.write(answer, to: repository.learnerPath(of: kata))
      #expect(try make("run", in: repository).contains("ExecutionOrder · passed"))
      #expect(try make("list", in: repository).contains("1 of 1 done."))
      #expect(try make("hint", in: repository).contains("Hint 1 of 3"))
      #expect(
        try make("solution", in: repository).contains(
          "so it has no solution of ExecutionOrder"))
      #expect(try make("export", in: repository).contains("\"ExecutionOrder\""))
      #expect(
        try make("reset", "KATA=ExecutionOrder", in: repository).contains("is the stub again."))
      #expect(
        try repository.text(repository.learnerPath(of: kata))
          == repository.text(repository.stubPath(of: kata)))
    }

    /// Runs one of a handout's make targets and returns what it prints.
    private func make(_ arguments: String..., in repository: Repository) throws -> String {
      let make = try #require(Toolchain.find("make"))
      let process = ChildProcess(
        make, arguments, environment: ["KATA_ANSWERS": "", "TEST_TIMEOUT": "20"],
        in: repository.root
      )
      try process.start()
      _ = process.waitForEnd()
      return process.output
    }
  }
}

extension Clone {
  /// Makes a handout and unpacks it in a folder of its own in the clone, which knows nothing of it.
  func unpackedHandout(_ arguments: [String]) throws -> Repository {
    let room = "unpacked by a participant \(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      at: repository.url(room), withIntermediateDirectories: true)
    let output = try kata(["handout"] + arguments + ["--output", "\(room)/h.tar.gz"])
    try #require(output.code == 0, "\(output.standardError)")
    let tar = try #require(Toolchain.find("tar"))
    let process = ChildProcess(tar, ["-xzf", "h.tar.gz"], in: repository.url(room))
    try process.start()
    try #require(process.waitForEnd() == .exited(0), "\(process.output)")
    return Repository(root: repository.url("\(room)/concurrency-katas"))
  }
}
