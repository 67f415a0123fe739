import Foundation
import Testing

@testable import KataKit
@testable import KataTeacher

extension OwnBuildTests {
  /// The built command looks for schedules that break an answer.
  @Suite struct ScheduleCommandTests {
    private static let ownClone = Result { try Clone.kept(judged: ["BoundedBuffer"]) }

    private let clone: Clone
    private let kata: Kata
    private let reference: String

    init() throws {
      clone = try Self.ownClone.get()
      kata = try Catalogue.kata(named: "BoundedBuffer")
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

    /// It may be closed between the look and the append.
    private func withTwoSections() throws -> String {
      let text = reference.replacing(
        """
              if isClosed { return false }
              elements.append(element)
              return true
            }
        """,
        with: """
                !isClosed
              }
              print("is in: \\(isIn)")
              if isIn { lock.withLock { elements.append(element) } }
          """)
      try #require(text != reference)
      return text
    }

    @Test func `code of one's own is tried in schedules, too`() throws {
      let app = Repository(root: clone.sandbox.appending(path: "app"))
      try app.write(withTwoSections().replacing("public ", with: ""), to: "Buffer.swift")
      let output = try clone.kata(
        ["judge", "Buffer.swift", "--as", kata.name], in: app.root)
      #expect(output.code == 1)
      #expect(output.standardOutput.contains("── held here ──"))
      #expect(output.standardOutput.contains(#/line \d+  \S/#))
    }

    /// What an account lets through that looks at its balance and then takes from it, each in one step.
    private static let account = """
      import Foundation

      final class Account {
        private let lock = NSLock()
        private var money: Int

        init(balance: Int) { money = balance }

        var balance: Int { lock.withLock { money } }

        func withdraw(_ amount: Int) -> Bool {
          guard balance >= amount else { return false }
          lock.withLock { money -= amount }
          return true
        }
      }
      """

    @Test func `a class of one's own is explored by a scenario of one's own, as the page has it`()
      throws
    {
      let page = try clone.repository.text("Docs/ConcurrencyKatas.docc/EverySchedule.md")
      let scenario = try #require(
        page.firstMatch(of: #/```swift\n(import KataTesting.*?)```/#.dotMatchesNewlines()))
      let app = Repository(root: clone.sandbox.appending(path: "an app"))
      try app.write(Self.account, to: "Account.swift")
      try app.write(String(scenario.1), to: "AccountTests.swift")
      func judge(_ options: String...) throws -> Clone.Output {
        try clone.kata(
          ["judge", "Account.swift", "--scenario", "AccountTests.swift"] + options, in: app.root)
      }
      let wrong = try judge()
      #expect(wrong.code == 1)
      #expect(wrong.standardOutput.contains("── held here ──"))
      #expect(wrong.standardOutput.contains("line 9  var balance: Int { lock.withLock { money } }"))
      #expect(wrong.standardOutput.contains("AccountTests.swift:"))
      #expect(wrong.standardOutput.contains("AccountTests · failed"))
      let failed = try judge("--format", "json").decoded(Report.self)
      #expect(failed.katas.first?.tests.first?.heldAt?.map(\.line) == [9])
      #expect(failed.katas.first?.schedules != nil)

      let right = Self.account.replacing(
        """
            guard balance >= amount else { return false }
            lock.withLock { money -= amount }
            return true
        """,
        with: """
            lock.withLock {
              guard money >= amount else { return false }
              money -= amount
              return true
            }
          """)
      try app.write(right, to: "Account.swift")
      let passed = try judge("--format", "json")
      #expect(passed.code == 0, "\(passed.standardOutput)")
      let report = try passed.decoded(Report.self)
      #expect(report.katas.first?.verdict == .passed)
      #expect(report.katas.first?.spec == "AccountTests.swift")
      #expect(report.katas.first?.tests.map(\.testFile) == ["AccountTests.swift"])
      #expect(report.katas.first?.tests.map(\.testLine) == [5])
      #expect(report.katas.first?.module == nil)

      let unknown = String(scenario.1).replacing("$0.withdraw(8)", with: "$0.pay(8)")
      try app.write(unknown, to: "AccountTests.swift")
      let refused = try judge()
      #expect(refused.code == 1)
      #expect(refused.standardOutput.contains("AccountTests.swift:"))
      #expect(refused.standardOutput.contains("The scenario doesn't compile with your code"))
    }

    @Test func `what fails only while a thread stands still is reported with the line`() throws {
      let text = try withTwoSections()
      let verdict = try verdict(on: text, seconds: "30")
      #expect(verdict.kind == .failed)
      let failure = try #require(verdict.firstFailure)
      #expect(failure.name.hasPrefix("in every schedule"))
      let message = try #require(failure.issues.first?.message)
      #expect(message.contains("thread 1") && message.contains("── held here ──"))
      #expect(message.contains(#/line \d+  \S/#))
      #expect(!message.contains("⟨"))
      #expect(message.contains("No order of these calls, one after another, gives that."))
      let failing = verdict.tests.filter { $0.status != .passed }
      #expect(failing.allSatisfy { $0.name.hasPrefix("in every schedule") })
      // Of all the schedules only the last: a scenario has at most four calls.
      #expect(try #require(failure.printed).split(separator: "\n").count <= 4)

      let blind = try self.verdict(on: text, seconds: "0")
      #expect(blind.kind == .passed)
      #expect(blind.schedules == nil)
    }

    @Test func `a race is seen while a thread is held, with both of its lines`() throws {
      let property = "  private nonisolated(unsafe) var calls = 0\n"
      let text = reference.replacing(
        "  private let lock = NSLock()\n", with: "\(property)  private let lock = NSLock()\n"
      )
      .replacing("    filled.wait()\n", with: "    filled.wait()\n    calls += 1\n")
      .replacing("    free.wait()\n", with: "    free.wait()\n    calls += 1\n")
      try #require(text.contains(property) && text.contains("calls += 1"))
      let verdict = try verdict(on: text, seconds: "30")
      #expect(verdict.kind == .race)
      let race = try #require(verdict.race)
      #expect(race.accesses.count == 2)
      for access in race.accesses {
        let place = try #require(access.place)
        #expect(place.file.hasSuffix("Katas/GroupsSemaphores/BoundedBuffer.swift"))
      }
    }

    @Test func `a number that isn't one is reported before anything is built`() throws {
      let output = try clone.start(["run", kata.name], variables: ["KATA_SCHEDULES": "many"])
        .output()
      #expect(output.code == 2)
      #expect(output.standardError.contains("KATA_SCHEDULES is 'many'; give the seconds"))
    }
  }
}
