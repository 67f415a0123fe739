extension Commands {
  private struct ListedKata: Encodable {
    let name: String
    let module: Module
    let title: String
    let difficulty: Int
    let minutes: Int
    let needs: [String]
    let done: Bool
    let racesNotChecked: Bool
  }

  /// Lists all katas, and which are done.
  package func list(asJSON: Bool) throws -> ExitCode {
    let progress = readProgress()
    if asJSON {
      try printJSON(
        Catalogue.katas.map {
          ListedKata(
            name: $0.name, module: $0.module, title: $0.title, difficulty: $0.difficulty,
            minutes: $0.minutes, needs: $0.needs, done: progress.isDone($0),
            racesNotChecked: progress.passesUnchecked($0))
        })
      return .done
    }
    for module in Catalogue.modules {
      let chapter =
        DocumentationPage.hasChapter(module, in: repository)
        ? style.dim("  read first: make page KATA=\(module.rawValue)") : ""
      print("\n\(style.bold(module.rawValue))\(chapter)\n")
      for kata in Catalogue.katas(of: module) {
        let row = KataRow(
          kata: kata, isDone: progress.isDone(kata), isUnchecked: progress.passesUnchecked(kata),
          style: style, isWide: style.width >= 72)
        print("\(row.lines)\n")
      }
    }
    let done = Catalogue.katas.count { progress.isDone($0) }
    print("\n\(done) of \(Catalogue.katas.count) done.\n")
    let unchecked = Catalogue.katas.count(where: progress.passesUnchecked)
    if unchecked > 0 { print("? \(unchecked) passed, races not looked for.\n") }
    return .done
  }
}
