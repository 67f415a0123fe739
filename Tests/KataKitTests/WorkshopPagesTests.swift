import Testing

@testable import KataKit

@Suite struct FacilitatorPageTests {
  @Test(arguments: Module.allCases) func `a page has all that the catalogue says`(
    module: Module
  ) {
    let page = FacilitatorPage(module)
    #expect(page.name == "Workshop\(module.rawValue)")
    let lines = page.markdown.split(separator: "\n")
    for kata in Catalogue.katas(of: module) {
      #expect(lines.contains("## \(kata.name)"))
      #expect(lines.contains { $0.hasPrefix("| <doc:\(kata.name)> | \(kata.minutes) | ") })
      #expect(lines.contains { $0.contains(Prose(kata.hints[0]).markdown) })
      for mistake in kata.mistakes {
        let (name, advice) = (Prose(mistake.name).cell, Prose(mistake.advice).cell)
        #expect(lines.contains { $0.hasPrefix("| \(name) | ") && $0.hasSuffix(" | \(advice) |") })
      }
      for question in kata.questions {
        #expect(lines.contains("- **\(question.text)** \(question.answer)"))
      }
    }
  }

  @Test(arguments: Module.allCases) func `a row of a table has as many cells as its head`(
    module: Module
  ) {
    var width: Int?
    for line in FacilitatorPage(module).markdown.split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      guard line.hasPrefix("|") else {
        width = nil
        continue
      }
      let bars = line.replacing("\\|", with: "").count { $0 == "|" }
      #expect(bars == width ?? bars, "\(line)")
      width = bars
    }
  }

  @Test(arguments: Module.allCases) func `a page links to katas that exist`(module: Module) throws {
    for match in FacilitatorPage(module).markdown.matches(of: #/<doc:([A-Za-z]+)>/#)
    where !["Workshop", "Agendas"].contains(match.1) {
      #expect(throws: Never.self) { try Catalogue.kata(named: String(match.1)) }
    }
  }
}

@Suite struct AgendasTests {
  static let all = Agendas.days + Agendas.lunches

  @Test(arguments: AgendasTests.all.indices) func `the parts of an agenda fill its time`(index: Int)
    throws
  {
    let agenda = Self.all[index]
    for name in agenda.katas + agenda.further {
      #expect(throws: Never.self) { try Catalogue.kata(named: name) }
    }
    #expect(agenda.parts.map(\.minutes).reduce(0, +) == agenda.length, "\(agenda.name)")
    #expect(agenda.parts.allSatisfy { $0.minutes > 0 })
  }

  @Test(arguments: AgendasTests.all.indices) func `katas leave a third of the time to the room`(
    index: Int
  ) throws {
    let agenda = Self.all[index]
    let minutes = try agenda.katas.map { try Catalogue.kata(named: $0).minutes }.reduce(0, +)
    #expect(minutes * 3 <= agenda.length * 2, "\(agenda.name): \(minutes) of \(agenda.length)")
  }

  @Test func `the lengths are those that are promised`() {
    #expect(Agendas.days.map(\.length) == [90, 210, 480])
    #expect(Agendas.lunches.allSatisfy { (45...60).contains($0.length) })
  }

  @Test(arguments: Agendas.days.indices) func `a day has nothing before what it needs`(
    index: Int
  ) throws {
    let day = Agendas.days[index]
    var done: Set<String> = []
    for name in day.katas + day.further {
      try expectNeeds(of: name, among: done)
      #expect(done.insert(name).inserted, "\(name) stands there twice")
    }
  }

  @Test func `the lunches have nothing before what it needs`() throws {
    var done: Set<String> = []
    for lunch in Agendas.lunches {
      for name in lunch.katas + lunch.further {
        try expectNeeds(of: name, among: done)
        #expect(done.insert(name).inserted, "\(name) stands there twice")
      }
    }
  }

  @Test func `each lunch is a whole module`() throws {
    #expect(Agendas.lunches.map(\.name) == Module.allCases.map(\.rawValue))
    for (lunch, module) in zip(Agendas.lunches, Module.allCases) {
      #expect(Set(lunch.katas + lunch.further) == Set(Catalogue.katas(of: module).map(\.name)))
    }
  }

  @Test func `homework that a later lunch builds on is set in bold`() {
    #expect(Agendas.needed(after: 4).contains("AsyncOperation"))
    #expect(Agendas.needed(after: 5).isEmpty)
    let markdown = AgendasPage().markdown
    #expect(markdown.contains("**<doc:AsyncOperation>**"))
    #expect(!markdown.contains("**<doc:Debouncer>**"))
  }

  @Test func `an agenda is told minute by minute`() {
    let markdown = AgendasPage().markdown
    #expect(AgendasPage().name == "Agendas")
    #expect(markdown.contains("| 0:10 | 0:15 | 5 | <doc:BackgroundWork> |"))
    #expect(markdown.contains("| 7:40 | 8:00 | 20 | Closing round |"))
  }

  private func expectNeeds(of name: String, among done: Set<String>) throws {
    for need in try Catalogue.kata(named: name).needs {
      #expect(done.contains(need), "\(name) needs \(need)")
    }
  }
}
