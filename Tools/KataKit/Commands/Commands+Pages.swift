extension Commands {
  // MARK: - page

  /// Shows the page of a kata, the chapter of a module, or another page of the documentation.
  package func page(_ name: String?) throws -> ExitCode {
    print("\n\(try text(ofPage: name ?? katas(nil)[0].name))")
    return .done
  }

  /// A page as text, and a line that says what only the site has.
  func text(ofPage name: String) throws -> String {
    let page = try DocumentationPage(name, in: repository)
    let isKatas = Catalogue.katas.contains { $0.name == page.name }
    let what = isKatas ? "its pictures, its hints and its gallery of mistakes" : "its pictures"
    let place = """
      The site shows the page with \(what): 'make docs', then 'make docs-preview'.
      """
    let site =
      repository.exists(Repository.handoutMark)
      ? "" : "\n\(style.dim(style.reflow(place, indent: 0)))\n"
    return page.text(style) + site
  }

  // MARK: - solution

  /// Shows how the reference differs from the learner's file, or with `showsAll` the whole
  /// reference.
  ///
  /// Before the kata is done it does so only `anyway`.
  package func solution(_ name: String?, anyway: Bool, showsAll: Bool = false) throws -> ExitCode {
    let kata = try katas(name)[0]
    try checkThatReferencesAreThere(for: [kata])
    guard anyway || readProgress().isDone(kata) else {
      print(
        style.reflow(
          """
          \(kata.name) isn't done yet. There are \(kata.hints.count) hints ('make hint \
          KATA=\(kata.name)'); to see the solution anyway: 'make solution KATA=\(kata.name) \
          YES=1'.
          """, indent: 0) + "\n")
      return .notDone
    }
    let solution = try solution(of: kata)
    print(showsAll ? solution.whole(style) : solution.difference(style))
    if !showsAll {
      print(style.dim("\n'make solution KATA=\(kata.name) ALL=1' shows the whole reference.\n"))
    }
    return .done
  }

  /// The reference beside the learner's file.
  func solution(of kata: Kata) throws -> SolutionText {
    try checkThatReferencesAreThere(for: [kata])
    let path = repository.learnerPath(of: kata)
    return SolutionText(
      own: try repository.exists(path) ? repository.text(path) : nil, at: path,
      reference: try repository.referenceAsAnswer(to: kata), at: repository.referencePath(of: kata))
  }
}
