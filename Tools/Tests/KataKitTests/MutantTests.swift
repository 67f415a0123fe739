import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct MutantTests {
  private func names(_ body: String) -> [String] {
    Mutant.all(of: "struct Box {\n  func f() {\n\(body)\n  }\n}").map(\.name)
  }

  private func texts(_ rule: String, _ body: String) -> [String] {
    let (before, after) = ("struct Box {\n  func f() {\n", "\n  }\n}")
    return Mutant.all(of: before + body + after).filter { $0.name.hasPrefix("\(rule): ") }
      .map { String($0.text.dropFirst(before.count).dropLast(after.count)) }
  }

  @Test func `a statement is left out, made twice and swapped`() {
    let body = "    one()\n    two(\n      2)\n    let three = 3"
    #expect(
      texts("left out", body) == [
        "    two(\n      2)\n    let three = 3", "    one()\n    let three = 3",
      ])
    #expect(
      texts("made twice", body) == ["    one()\n    one()\n    two(\n      2)\n    let three = 3"])
    #expect(
      texts("swapped with the next", body) == [
        "    two(\n      2)\n    one()\n    let three = 3",
        "    one()\n    let three = 3\n    two(\n      2)",
      ])
  }

  @Test func `arguments that are kept aren't swapped`() {
    #expect(texts("swapped with the next", "    self.a = a\n    self.b = b").isEmpty)
    #expect(texts("swapped with the next", "    self.a = b\n    self.b = b").count == 1)
  }

  @Test func `what no spec can tell isn't tried`() {
    let body =
      "    precondition(a >= 0)\n    lock.withLock {\n      a = 1\n      lock.broadcast()\n    }"
    let names = names(body)
    #expect(names.contains("moved by one: precondition(a >= 0)"))
    #expect(!names.contains { $0.contains("broadcast") && !$0.hasPrefix("left out") })
    #expect(names.count { $0.contains("precondition") } == 1)
    let calls = self.names(
      "    super.init()\n    job.addDependency(other)\n    task?.cancel()\n    cancel(a)")
    #expect(calls.filter { $0.hasPrefix("made twice") } == ["made twice: cancel(a)"])
    #expect(!calls.contains { $0.contains("super.init") })
  }

  @Test func `what the stub gives isn't touched`() {
    let given = "  func a() {\n    one()\n  }\n"
    let stub = "struct Box {\n\(given)  func b() {\n    // Your turn.\n  }\n}"
    let source = "struct Box {\n\(given)  func b() {\n    two()\n  }\n}"
    #expect(
      Mutant.all(of: source, stub: stub).map(\.name) == ["left out: two()", "made twice: two()"])
    #expect(Mutant.all(of: source).count == 4)
  }

  @Test func `statements go in and out of a critical section, and it's split`() {
    let body = """
          before()
          lock.withLock {
            first()
            last()
          }
          after()
      """
    #expect(
      texts("the first statement before the section", body) == [
        """
            before()
            first()
            lock.withLock {
              last()
            }
            after()
        """
      ])
    #expect(
      texts("the last statement behind the section", body) == [
        """
            before()
            lock.withLock {
              first()
            }
            last()
            after()
        """
      ])
    #expect(
      texts("the next statement into the section", body) == [
        """
            before()
            lock.withLock {
              first()
              last()
              after()
            }
        """
      ])
    #expect(
      texts("the statement before into the section", body) == [
        """
            lock.withLock {
              before()
              first()
              last()
            }
            after()
        """
      ])
    #expect(
      texts("split before last()", body) == [
        """
            before()
            lock.withLock {
              first()
            }
            lock.withLock {
              last()
            }
            after()
        """
      ])
  }

  @Test(arguments: [
    ("negated", "if a < b {", ["if !(a < b) {"]),
    ("negated", "guard let a, b else { return }", ["guard let a, !(b) else { return }"]),
    ("negated", "if let a {", []),
    ("moved by one", "if a < b {", ["if a <= b {"]),
    ("moved by one", "while a >= b {", ["while a > b {"]),
    ("turned round", "x = a && b == c", ["x = a || b == c", "x = a && b != c"]),
    ("sync for async", "queue.async { x() }", ["queue.sync { x() }"]),
    ("sync for async", "queue.asyncAfter(deadline: d) { x() }", []),
    ("async for sync", "queue.sync { x() }", ["queue.async { x() }"]),
    ("no barrier", "queue.async(flags: .barrier) { x() }", ["queue.async { x() }"]),
    (
      "no barrier", "queue.async(group: g, flags: .barrier) { x() }",
      ["queue.async(group: g) { x() }"]
    ),
    ("another constant", "x = 0 // 7", ["x = 1 // 7"]),
    ("another constant", "x = 2 + y1", ["x = 0 + y1", "x = 3 + y1"]),
    ("another constant", #"x = "1 true" + true"#, [#"x = "1 true" + false"#]),
    ("a global queue", "queue.async { x() }", ["DispatchQueue.global().async { x() }"]),
    ("the error is swallowed", "x = try y()", ["x = try? y()"]),
    ("the error is swallowed", "x = try? y()", []),
    ("held strongly", "f { [weak self] in x() }", ["f { [self] in x() }"]),
    ("held weakly", "f { [self] in", ["f { [weak self] in guard let self else { return }"]),
  ])
  func `within a line`(rule: String, line: String, expected: [String]) {
    #expect(texts(rule, "    \(line)") == expected.map { "    \($0)" })
  }

  @Test func `a will is left out with its did`() {
    let body = """
          willChangeValue(forKey: "a")
          x = 1
          didChangeValue(forKey: "a")
      """
    #expect(texts("left out with its did", body) == ["    x = 1"])
  }

  @Test func `no two mutants are alike, in name or in text`() {
    let body = "    x += 1\n    y()\n    x += 1"
    #expect(Set(names(body)).count == names(body).count)
    #expect(names(body).contains("left out: x += 1 (2)"))
    #expect(Set(Mutant.all(of: body).map(\.text)).count == Mutant.all(of: body).count)
  }

  @Test func `what a user of the type is compiled with stays`() {
    let source =
      "public struct Box {\n  public func f(_ x: Int = 1) {}\n  // x = 1\n  private var x = 1\n}"
    #expect(
      Mutant.all(of: source).map(\.name) == [
        "another constant: private var x = 1", "another constant: private var x = 1 (2)",
      ])
  }

  @Test func `what survives isn't counted as rejected, and the list is kept up`() {
    let kata = Kata(
      "Box", module: .barriers, title: "", difficulty: 1, minutes: 1, hints: [], mistakes: [],
      rightAnswers: [],
      equivalents: [
        Equivalent("same", "It is."), Equivalent("gone", "It was."), Equivalent("told", "It was."),
      ])
    func result(_ name: String, _ status: TestReport.Status, _ isCompiled: Bool = true)
      -> CandidateResult
    {
      var result = CandidateResult(candidate: Candidate(kata: kata, role: .mutant(name), text: ""))
      if isCompiled {
        result.runs = [Fixtures.run(alpha: status)]
      } else {
        result.compilerMessages = [
          CompilerMessage(file: "f", line: 1, column: 1, message: "m", excerpt: [])
        ]
      }
      return result
    }
    let score = MutationReport.Score(
      kata,
      [
        result("same", .passed), result("new", .passed), result("caught", .failed),
        result("told", .failed), result("nonsense", .passed, false),
      ])
    #expect(score.mutants == 4 && score.rejected == 2 && score.equivalent == 1)
    #expect(score.survivors == ["new"])
    #expect(
      score.outdated == [
        "there is no such mutant, or it doesn't compile: gone",
        "listed as equivalent, but rejected: told",
      ])
  }
}
