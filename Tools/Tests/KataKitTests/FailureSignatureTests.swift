import Foundation
import Testing

@testable import KataKit

@Suite struct ComplaintTests {
  @Test(arguments: [
    ("Both came in. Only one may.", "Both came in."),
    ("There are 2 cores, and 17 were under way.", "There are … cores, and … were under way."),
    ("It took 0.35 s. Too long.", "It took … s."),
    ("The value is \"old\", not 'new'.", "The value is …, not …."),
    ("It mustn't be the reader's.", "It mustn't be the reader's."),
    ("The rounds were [1, 2, 2].", "The rounds were …."),
    ("They read 1, 2 and 3", "They read …"),
    ("Did it begin? It did.", "Did it begin?"),
    ("Two lines\nof one sentence. And more.", "Two lines of one sentence."),
    ("It overlapped.\n\n  reader 1 ├──┤", "It overlapped."),
    ("It overlapped:\n  reader 1 ├──┤", "It overlapped:"),
    ("", ""),
  ])
  func `a gist is the first sentence without its values`(message: String, gist: String) {
    #expect(FailureSignature.gist(of: message) == gist)
  }

  @Test func `a test that passes complains of nothing`() {
    #expect(FailureSignature.all(of: report(.passed)).isEmpty)
    #expect(FailureSignature.all(of: report(.notReached)).isEmpty)
  }

  @Test func `a test that hangs without a word still complains`() {
    #expect(FailureSignature.all(of: report(.hung)) == [FailureSignature(.hung)])
  }

  @Test func `a test with arguments may complain of several things`() throws {
    let test = report(
      .failed, issues: try ["A first.", "Hung: it waits.", "A first."].map { try .saying($0) })
    #expect(
      FailureSignature.all(of: test) == [
        FailureSignature(.failed, "A first."), FailureSignature(.hung, "It waits."),
      ])
  }

  @Test func `what the spec has no words for is reported by its form`() throws {
    let issue = try TestIssue.saying("", expectation: "Expectation failed: (x → 3)")
    let test = report(.failed, issues: [issue])
    #expect(FailureSignature.all(of: test) == [FailureSignature(.failed, "Expectation failed")])
  }

  @Test(arguments: [
    ("The process was brought down by a trap (SIGILL). It said: …", "trap"),
    ("The process was brought down by a trap (SIGTRAP).", "trap"),
    ("The process was brought down by a bad memory access (SIGBUS).", "SIGBUS"),
    ("The process ended itself in the middle of the test, with exit code 0.", "exit"),
  ])
  func `a crash is reported by how the process died`(crash: String, gist: String) {
    var test = report(.crashed)
    test.crash = crash
    #expect(FailureSignature.all(of: test) == [FailureSignature(.crashed, gist)])
  }

  @Test func `likeness is the share of common words`() {
    let signature = FailureSignature(.failed, "the reader waits")
    #expect(signature.likeness(to: signature) == 1)
    #expect(signature.likeness(to: FailureSignature(.failed, "the writer waits")) == 0.5)
    #expect(signature.likeness(to: FailureSignature(.failed, "nobody came")) == 0)
    #expect(signature.likeness(to: FailureSignature(.hung, "the reader waits")) == 0.5)
    #expect(FailureSignature(.hung).likeness(to: FailureSignature(.hung)) == 1)
  }

  @Test(arguments: [
    FailureSignature(.failed, "First: this, then … that."), FailureSignature(.hung),
    FailureSignature(.crashed, "trap"),
  ])
  func `a signature is a line of text`(signature: FailureSignature) throws {
    let text = try JSONEncoder().encode([signature])
    #expect(try JSONDecoder().decode([FailureSignature].self, from: text) == [signature])
  }

  // MARK: - Fixtures

  private func report(_ status: TestReport.Status, issues: [TestIssue] = []) -> TestReport {
    TestReport(name: "alpha", status: status, issues: issues, line: 1, id: "alpha")
  }
}
