import Foundation
import Testing

@testable import KataKit

/// What is said beside the compiler's errors.
@Suite struct CompilerAdviceTests {
  private static let repository = Fixtures.repository
  private static let style = TextStyle(hasColours: false)

  @Test(arguments: CompilerAdvice.allCases)
  func `each advice has its section, which quotes what the compiler says`(
    advice: CompilerAdvice
  ) throws {
    let page = try DocumentationPage(CompilerAdvice.page, in: Self.repository).markdown
    let sections = page.components(separatedBy: "\n### ")
    let section = try #require(sections.first { $0.hasPrefix("\(advice.heading)\n\n") })
    let quotation = try #require(section.firstMatch(of: #/\n\*(.+)\*\n/#))
    #expect(CompilerAdvice(on: String(quotation.1)) == advice)
    #expect(!advice.text.isEmpty)
  }

  @Test(
    arguments: [
      (
        "stored property 'a' of 'Sendable'-conforming class 'A' contains non-Sendable type 'B'",
        .sharedValue
      ),
      (
        "converting non-Sendable function value to '@Sendable () -> Void' may introduce data races",
        .capturedValue
      ),
      (
        "call to main actor-isolated instance method 'show()' in a synchronous nonisolated context",
        .actorsState
      ),
      (
        "explicit use of 'self' is required when 'self' is optional, to make control flow explicit",
        .explicitSelf
      ),
      (
        "cannot pass function of type '@Sendable () async -> ()' to parameter expecting synchronous function type",
        .asynchronousCall
      ),
      ("cannot assign to property: 'isFinished' is a get-only property", .operationsFlag),
      ("assigning non-escaping parameter 'body' to an '@escaping' closure", .escapingParameter),
      ("actor-isolated property 'n' can not be mutated from a nonisolated context", nil),
    ] as [(String, CompilerAdvice?)])
  func `other words for the same get the same advice`(message: String, advice: CompilerAdvice?) {
    #expect(CompilerAdvice(on: message) == advice)
  }

  @Test func `an error of another kind gets no advice`() {
    for message in [
      "left side of mutating operator isn't mutable: 'hits' is a get-only property",
      "cannot find 'quue' in scope", "missing return in instance method",
    ] {
      #expect(CompilerAdvice(on: message) == nil)
    }
  }

  @Test func `one kind of error is explained once`() {
    var verdict = Verdict(Fixtures.kata, .doesNotCompile)
    verdict.compilerMessages = ["a", "b"].map { name in
      CompilerMessage(
        file: "/elsewhere/A.swift", line: 3, column: 5,
        message: "stored property '\(name)' of 'Sendable'-conforming class 'A' is mutable",
        excerpt: [])
    }
    let text = VerdictText(repository: Self.repository, style: Self.style)
      .details(verdict, Fixtures.kata)
    #expect(text.components(separatedBy: "you answer for it.").count == 2)
    #expect(text.contains("'make page KATA=CompilerErrors' says more"))
  }

  @Test(arguments: [
    (
      "public func add(_ photo: Photo) {", "public func append(_ photo: Photo) {",
      "The stub has `public func add(_ photo: Photo)`, and your file doesn't."
    ),
    (
      "public func run(\n    _ work: () -> Int, done: Int = 3\n  ) {\n",
      "public func run(_ job: () -> Int, completion: Int) {",
      """
      The stub has `public func run(_ work: () -> Int, done: Int = 3)`; yours is `public func run(_ job: () -> Int, \
      completion: Int)`, in line 1.
      """
    ),
    ("public func run(_ work: Int) {", "public func run(_ job: Int) {", nil),
    (
      "public var count: Int { 1 }\npublic init(f: () -> Int = { 3 }) {",
      "public let count = 1\npublic init(f: () -> Int) {",
      "The stub has `public var count: Int`, and your file doesn't."
    ),
  ])
  func `what the stub declares and the answer doesn't is said`(
    stub: String, answer: String, sentence: String?
  ) {
    let said = WrittenDeclarations(answer).sentence(lacking: WrittenDeclarations(stub), saying: [])
    #expect(said == sentence)
  }

  @Test func `members come before the types that are named with them`() {
    let stub = WrittenDeclarations("public final class A: Sendable {\n  public func add() {\n  }\n")
    let answer = WrittenDeclarations("public final class B: @unchecked Sendable {\r\n}\r\n")
    #expect(
      answer.sentence(lacking: stub, saying: ["value of type 'A' has no member 'add'"])
        == "The stub has `public func add()`, and your file doesn't.")
    let unchecked = WrittenDeclarations(
      "public final class A: @unchecked Sendable {\n  public func add() {\n")
    #expect(unchecked.sentence(lacking: stub, saying: []) == nil)
  }

  @Test func `a crash names files that are there`() {
    var test = TestReport(name: "a", status: .crashed, line: 1, id: "1")
    test.crash =
      "It said: AsyncOperationsKatas/FinishOnce.swift:74: Fatal error: OtherKatas/A.swift"
    let text = VerdictText(
      repository: Self.repository, style: TextStyle(hasColours: false, width: 100)
    )
    .failure(test)
    #expect(
      text.contains("Katas/AsyncOperations/FinishOnce.swift:74: Fatal error: OtherKatas/A.swift"))
  }

  @Test func `what the compiler names is said first`() {
    let stub = WrittenDeclarations("public func a()\npublic func b()\n")
    let said = WrittenDeclarations("").sentence(
      lacking: stub, saying: ["value of type 'X' has no member 'b'"])
    #expect(said == "The stub has `public func b()`, and your file doesn't.")
    for kata in Catalogue.katas {
      for path in [Self.repository.stubPath(of: kata), Self.repository.referencePath(of: kata)] {
        #expect(throws: Never.self) { try WrittenDeclarations(Self.repository.text(path)) }
      }
    }
  }

  @Test func `no reference lacks what its stub declares`() throws {
    for kata in Catalogue.katas {
      let stub = WrittenDeclarations(try Self.repository.text(Self.repository.stubPath(of: kata)))
      let reference = WrittenDeclarations(try Self.repository.referenceAsAnswer(to: kata))
      #expect(!stub.all.isEmpty, "\(kata.name)")
      #expect(reference.sentence(lacking: stub, saying: []) == nil, "\(kata.name)")
    }
  }
}
