import Foundation
import KataKit
import KataPictures

/// A report as JUnit's XML, which CI servers read.
///
/// A kata is a suite, and a test of its spec is a test case. A broken promise is a `failure`, also
/// in the stub, since a kata that isn't started isn't done. A hang, a crash, an answer that doesn't
/// compile, a kata that can't be judged, and races that couldn't be checked are an `error`. A test
/// that wasn't reached is `skipped`, and then another one failed. A test that asks for more than
/// `Operation` is also `skipped` if an app's code keeps the contract of `Operation`. Source: the
/// schema that Jenkins publishes, junit-10.xsd.
struct JUnitReport {
  let report: Report

  /// The document.
  var text: String {
    let suites = report.katas.map(Suite.init)
    return XMLTag(
      name: "testsuites",
      attributes: [
        "name": "Concurrency Katas",
        "tests": "\(suites.map(\.cases.count).reduce(0, +))",
        "failures": "\(suites.map { $0.count(.failure) }.reduce(0, +))",
        "errors": "\(suites.map { $0.count(.error) }.reduce(0, +))",
        "time": Self.time(report.katas.map(\.seconds).reduce(0, +)),
      ],
      elements: suites.map(\.tag)
    ).document
  }

  fileprivate static func time(_ seconds: Double) -> String { String(format: "%.3f", seconds) }
}

/// A kata among JUnit's suites.
private struct Suite {
  let kata: KataReport
  let cases: [Case]

  init(_ kata: KataReport) {
    self.kata = kata
    cases = kata.tests.map { Case($0, of: kata) } + (kata.problem.map { [Case($0)] } ?? [])
  }

  func count(_ result: Case.Result) -> Int { cases.count { $0.result == result } }

  var tag: XMLTag {
    let name = [kata.module?.rawValue, kata.kata].compactMap(\.self).joined(separator: ".")
    var properties = [Self.property("verdict", kata.verdict.rawValue)]
    properties += kata.keepsContract.map { [Self.property("keepsContract", "\($0)")] } ?? []
    properties += kata.looksLike.map { Self.property("looksLike", $0.mistake) }
    let notes = kata.notes.map { "Note: \($0)" }.joined(separator: "\n")
    return XMLTag(
      name: "testsuite",
      attributes: [
        "name": name, "tests": "\(cases.count)", "failures": "\(count(.failure))",
        "errors": "\(count(.error))", "skipped": "\(count(.skipped))",
        "time": JUnitReport.time(kata.seconds), "file": kata.file,
      ],
      elements: [XMLTag(name: "properties", elements: properties)]
        + cases.map { $0.tag(className: name) }
        + (notes.isEmpty ? [] : [XMLTag(name: "system-out", text: notes)]))
  }

  private static func property(_ name: String, _ value: String) -> XMLTag {
    XMLTag(name: "property", attributes: ["name": name, "value": value])
  }
}

/// A test, or a problem outside the tests, as a test case of JUnit.
private struct Case {
  enum Result: String {
    case passed, failure, error, skipped
  }

  let name: String
  let result: Result
  /// This project's own word for the result.
  let type: String
  let message: String
  let details: String
  var printed: String?

  init(_ test: KataReport.Test, of kata: KataReport) {
    name = test.name
    type = test.status.rawValue
    printed = test.printed
    if kata.keepsContract == true, test.isBeyondOperation == true, test.status != .passed {
      result = .skipped
      message = "asks for more than Operation does"
      details = kata.details(of: test)
      return
    }
    result =
      switch test.status {
      case .passed: .passed
      case .failed: .failure
      case .hung, .crashed: .error
      case .notReached: .skipped
      }
    message = result == .skipped ? "not reached" : Self.headline(of: test.message ?? type)
    details = result == .skipped ? "" : kata.details(of: test)
  }

  init(_ problem: KataReport.Problem) {
    name = problem.name
    result = problem.isError ? .error : .failure
    type = problem.isError ? "error" : "failed"
    message = Self.headline(of: problem.sentence)
    details = problem.sentence
  }

  func tag(className: String) -> XMLTag {
    var tag = XMLTag(name: "testcase", attributes: ["classname": className, "name": name])
    if result != .passed {
      tag.elements = [
        XMLTag(
          name: result.rawValue, attributes: ["type": type, "message": message], text: details)
      ]
    }
    if let printed { tag.elements.append(XMLTag(name: "system-out", text: printed)) }
    return tag
  }

  /// The first paragraph, in one line.
  private static func headline(of text: String) -> String {
    text.components(separatedBy: "\n\n")[0].split(separator: "\n").joined(separator: " ")
  }
}
