import Foundation
import Testing

@testable import KataKit
@testable import KataTeacher
import KataTesting

/// JUnit's XML, held against the schema that Jenkins publishes.
@Suite struct JUnitTests {
  @Test func `every kind of report is JUnit's XML`() throws {
    #expect(try violations(Report(Samples.all)) == [])
    #expect(try violations(Report([])) == [])
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a kata that isn't done has a failure or an error`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let katas = (0..<3).map { _ in Samples.random(&random) }
    let root = try parsed(Report(katas))
    #expect(JUnitSchema.violations(of: root) == [])
    for (kata, suite) in zip(katas, root.children) {
      let results = suite.children.flatMap(\.children).map(\.name)
      let isRed = results.contains("failure") || results.contains("error")
      #expect(isRed == (kata.verdict != .passed), "\(kata.verdict)")
      if !isRed { #expect(suite.attributes["tests"] != "0" && !results.contains("skipped")) }
    }
  }

  @Test func `the words are JUnit's`() throws {
    let suites = try parsed(Report(Samples.all)).children
    func results(_ index: Int) -> [String] {
      suites[index].children.filter { $0.name == "testcase" }
        .map { $0.children.first?.name ?? "passed" }
    }
    #expect(results(0) == ["failure", "passed"], "What hasn't been begun isn't done.")
    #expect(results(1) == ["passed", "failure"])
    #expect(results(2) == ["passed", "passed"])
    #expect(results(3) == ["error"])
    #expect(results(5) == ["passed", "passed", "passed", "failure"], "a race")
    #expect(results(6) == ["error"], "doesn't compile")
    #expect(results(7) == ["passed", "error", "skipped"], "hung")
    #expect(results(11) == ["error"], "gone")
  }

  @Test func `a failure says what broke, in a line and in full`() throws {
    let suite = try parsed(Report([Samples.failed])).children[0]
    #expect(suite.attributes["name"] == "Barriers.Sample")
    #expect(suite.attributes["failures"] == "1" && suite.attributes["time"] == "1.250")
    let failure = try #require(suite.children.flatMap(\.children).first { $0.name == "failure" })
    #expect(failure.attributes == ["type": "failed", "message": "A reader came in."])
    #expect(failure.text == Samples.failed.details(of: Samples.failed.tests[0]))
  }

  @Test func `whatever a learner's program prints, the document can be read`() throws {
    let kata = Samples.hostileCrash
    let test = try parsed(Report([kata])).children[0].children.filter { $0.name == "testcase" }[0]
    let legal = { (text: String) in
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.map { scalar in
            let isForbidden =
              (scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar))
              || scalar.value & 0xFFFE == 0xFFFE
            return isForbidden ? "\u{FFFD}" : scalar
          }))
    }
    #expect(test.attributes["name"] == legal(kata.tests[0].name))
    #expect(test.children[0].text == legal(kata.details(of: kata.tests[0])))
    #expect(test.children[0].text.contains("c > \"d\" ]]> 'e'"))
  }

  @Test func `the schema's own checks can fail`() throws {
    for (xml, violation) in [
      ("<testsuite/>", "the root is testsuite"),
      ("<testsuites><testcase name='a'/></testsuites>", "testcase in testsuites"),
      (
        "<testsuites><testsuite tests='0' failures='0' errors='0'/></testsuites>",
        "testsuite without name"
      ),
      ("<testsuites colour='red'/>", "testsuites has colour"),
      (
        """
        <testsuites><testsuite name='a' tests='2' failures='0' errors='0'><testcase name='b'/>\
        </testsuite></testsuites>
        """, "tests is 2 and not 1"
      ),
    ] {
      let root = try XMLReader.read("<?xml version=\"1.0\"?>" + xml)
      #expect(JUnitSchema.violations(of: root).contains { $0.contains(violation) }, "\(xml)")
    }
    for malformed in [
      "", "a", "<a>", "<a></b>", "<a/><b/>", "<a b=c/>", "<a b='<'/>", "<a b='1'c='2'/>",
      "<a b='1' b='2'/>", "<a>]]></a>", "<a>\u{1}</a>", "<a>&#1;</a>", "<a>&nbsp;</a>", "<a>&</a>",
    ] {
      #expect(throws: (any Error).self, "\(malformed)") { try XMLReader.read(malformed) }
    }
  }

  private func parsed(_ report: Report) throws -> XMLReader.Element {
    try XMLReader.read(JUnitReport(report: report).text)
  }

  private func violations(_ report: Report) throws -> [String] {
    JUnitSchema.violations(of: try parsed(report))
  }
}

// MARK: - Fixtures

/// What junit-10.xsd allows, as far as these reports go, and that the figures add up.
private enum JUnitSchema {
  private struct Rule {
    var required: Set<String> = []
    var optional: Set<String> = []
    var children: Set<String> = []
    var hasText = false
  }

  private static let result = Rule(optional: ["type", "message"], hasText: true)
  private static let rules: [String: Rule] = [
    "testsuites": Rule(
      optional: ["name", "time", "tests", "failures", "errors"], children: ["testsuite"]),
    "testsuite": Rule(
      required: ["name", "tests", "failures", "errors"],
      optional: [
        "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url",
      ],
      children: ["testsuite", "properties", "testcase", "system-out", "system-err"]),
    "properties": Rule(children: ["property"]),
    "property": Rule(required: ["name", "value"]),
    "testcase": Rule(
      required: ["name"], optional: ["time", "classname", "group"],
      children: ["skipped", "error", "failure", "system-out", "system-err"]),
    "skipped": result, "error": result, "failure": result,
    "system-out": Rule(hasText: true), "system-err": Rule(hasText: true),
  ]

  static func violations(of root: XMLReader.Element) -> [String] {
    (root.name == "testsuites" ? [] : ["the root is \(root.name)"]) + faults(in: root)
  }

  private static func faults(in element: XMLReader.Element) -> [String] {
    guard let rule = rules[element.name] else { return ["there is no \(element.name)"] }
    var found: [String] = []
    let given = Set(element.attributes.keys)
    for name in rule.required.subtracting(given) { found.append("\(element.name) without \(name)") }
    for name in given.subtracting(rule.required).subtracting(rule.optional) {
      found.append("\(element.name) has \(name)")
    }
    if let time = element.attributes["time"], time.wholeMatch(of: #/[0-9]+\.[0-9]{3}/#) == nil {
      found.append("the time is \(time)")
    }
    if !rule.hasText, !element.text.allSatisfy(\.isWhitespace) {
      found.append("\(element.name) has text")
    }
    for child in element.children where !rule.children.contains(child.name) {
      found.append("\(child.name) in \(element.name)")
    }
    let cases = element.all("testcase")
    for (figure, count) in [
      ("tests", cases.count), ("failures", element.all("failure").count),
      ("errors", element.all("error").count), ("skipped", element.all("skipped").count),
    ] {
      guard let said = element.attributes[figure], said != "\(count)" else { continue }
      found.append("\(figure) is \(said) and not \(count)")
    }
    return found + element.children.flatMap(faults)
  }
}
