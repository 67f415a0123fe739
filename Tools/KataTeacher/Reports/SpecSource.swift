/// The text of a spec, in which the body of a test can be found.
///
/// It relies on the project's format: a body ends with a brace that is indented as its test is.
struct SpecSource {
  private let lines: [Substring]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The body of the test whose `@Test` is in this line, from 1, without its indentation.
  func body(ofTestAt line: Int) -> String? {
    guard lines.indices.contains(line - 1) else { return nil }
    let test = lines[(line - 1)...]
    let margin = test[line - 1].prefix { $0 == " " }
    guard let name = test.firstIndex(where: { $0.contains("func ") }),
      let opening = test[name...].firstIndex(where: { $0.hasSuffix("{") }),
      let closing = test[opening...].firstIndex(of: margin + "}")
    else { return nil }
    let body = test[(opening + 1)..<closing]
    let depth = body.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return body.map { String($0.dropFirst(depth)) }.joined(separator: "\n")
  }
}
