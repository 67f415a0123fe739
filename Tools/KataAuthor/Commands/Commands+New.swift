import KataKit

extension Commands {
  /// Writes the files of a new kata, and its rows in files that list every kata.
  package func new(_ name: String?, in module: String?) throws -> ExitCode {
    guard !repository.exists(Repository.handoutMark) else {
      throw KataError(
        "A handout can't have new katas; make them in a clone of the project.", .notDone)
    }
    guard let name, let module else {
      throw Scaffold.refusal(
        "Which kata, in which module? Name both: 'make new KATA=VisitCounter MODULE=Barriers'.")
    }
    guard let home = Module.allCases.first(where: { $0.rawValue == module }) else {
      let names = Module.allCases.map(\.rawValue)
      let nearest = EditDistance.nearest(to: module, among: names)
      let advice =
        nearest.map { "did you mean \($0)?" } ?? "there is \(names.joined(separator: ", "))."
      throw Scaffold.refusal("There is no module '\(module)'; \(advice)")
    }
    for path in try Scaffold(name, in: home, of: repository).write() { print("  \(path)\n") }
    print(
      "'make verify KATA=\(name)' says what is left to write; CONTRIBUTING.md, in which order.\n")
    return .done
  }
}
