import KataKit

extension Kata {
  /// What its description lacks or gets wrong, in sentences; reported before anything is built.
  ///
  /// - Parameter tests: The tests of its spec.
  /// - Returns: The sentences.
  func shortfalls(tests: [String]) -> [String] {
    var sentences: [String] = []
    if hints.count != 3 {
      sentences.append("\(descriptionPath): there must be three hints, not \(hints.count)")
    }
    if mistakes.count < 3 {
      sentences.append("\(descriptionPath): there must be at least three mistakes")
    }
    if rightAnswers.isEmpty {
      sentences.append("\(descriptionPath): there must be a right answer with another design")
    }
    let named =
      mistakes.flatMap { mistake in mistake.rejectedBy.map { (mistake.name, $0) } }
      + beyondOperation.map { ("Beyond Operation", $0.test) }
    for (name, test) in named where !tests.contains(test) {
      let nearest = EditDistance.nearest(to: test, among: tests)
      let advice = nearest.map { "; did you mean '\($0)'?" } ?? ""
      sentences.append("\(name): the spec has no test '\(test)'\(advice)")
    }
    return sentences
  }
}
