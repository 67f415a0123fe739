import Foundation
import Testing

@testable import KataKit

extension OwnBuildTests {
  /// The built command looks for schedules that break an answer.
  @Suite struct ScheduleCommandTests {
    /// Built with points, which the answers of other tests do without.
    private static let ownClone = Result { try Clone.kept(judged: ["Lazily"]) }

    private let clone: Clone
    private let kata: Kata
    private let reference: String

    init() throws {
      clone = try Self.ownClone.get()
      kata = try Catalogue.kata(named: "Lazily")
      reference = try clone.repository.text(clone.repository.referencePath(of: kata))
    }

    private func verdict(on text: String, seconds: String = "2") throws -> Verdict {
      try clone.repository.write(text, to: clone.repository.learnerPath(of: kata))
      return try Clone.verdict(
        in: clone.start(["run", kata.name, "--json"], variables: ["KATA_SCHEDULES": seconds])
          .output())
    }

    @Test func `a right answer passes in many`() throws {
      let verdict = try verdict(on: reference)
      #expect(verdict.kind == .passed)
      #expect(try #require(verdict.schedules) > 10)
    }

    @Test func `what fails only while a thread stands still is told with the line`() throws {
      // The second telling forgets who has begun an attempt since the first.
      let text = reference.replacing(
        "settle(.empty)\n", with: "settle(.empty)\n        settle(.empty)\n")
      try #require(text != reference)
      let verdict = try verdict(on: text)
      #expect(verdict.kind == .failed)
      let failure = try #require(verdict.firstFailure)
      #expect(failure.name.hasPrefix("in every schedule"))
      let message = try #require(failure.issues.first?.message)
      #expect(message.contains("thread 1") && message.contains("── held here ──"))
      #expect(message.contains(#/line \d+  \S/#))
      #expect(!message.contains("⟨"))
      #expect(message.contains("No order of these calls, one after another, gives that."))
      #expect(verdict.tests.count { $0.status != .passed } == 1)

      let blind = try self.verdict(on: text, seconds: "")
      #expect(blind.kind == .passed)
      #expect(blind.schedules == nil)
    }

    @Test func `a race is seen while a thread is held, with both of its lines`() throws {
      let verdict = try verdict(
        replacing: "      if let value = valueUnlessMyTurn()",
        with: "      asked += 1\n      if let value = valueUnlessMyTurn()",
        declaring: "  private nonisolated(unsafe) var asked = 0\n")
      #expect(verdict.kind == .race)
      let race = try #require(verdict.race)
      #expect(race.accesses.count == 2)
      for access in race.accesses {
        let place = try #require(access.place)
        #expect(place.file.hasSuffix("Katas/GCDBasics/Lazily.swift"))
      }
    }

    private func verdict(
      replacing old: String, with new: String, declaring property: String
    ) throws -> Verdict {
      let head = "  private let condition = NSCondition()\n"
      let text = reference.replacing(old, with: new).replacing(head, with: property + head)
      try #require(text.contains(property) && text.contains(new))
      return try verdict(on: text)
    }

    @Test func `a number that isn't one is told before anything is built`() throws {
      let output = try clone.start(["run", kata.name], variables: ["KATA_SCHEDULES": "many"])
        .output()
      #expect(output.code == 2)
      #expect(output.standardError.contains("KATA_SCHEDULES is 'many'; give the seconds"))
    }
  }
}
