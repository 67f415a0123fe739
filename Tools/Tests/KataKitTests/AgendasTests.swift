import Testing

@testable import KataKit

/// The page of agendas is written by hand; what it says of katas must be true.
@Suite struct AgendasTests {
  private static let path = "Docs/ConcurrencyKatas.docc/Agendas.md"
  private let agendas: [Agenda]

  init() throws {
    agendas = Agenda.all(in: try Fixtures.repository.text(Self.path))
  }

  private var lunches: ArraySlice<Agenda> { agendas.dropFirst(3) }

  @Test func `the lengths are those that are promised`() {
    #expect(agendas.prefix(3).map(\.name) == ["Ninety minutes", "Half a day", "A full day"])
    #expect(agendas.prefix(3).map(\.length) == [90, 210, 480])
    #expect(lunches.allSatisfy { (45...60).contains($0.length) })
  }

  @Test func `each part begins where the one before it ends, and takes what it says`() {
    for agenda in agendas {
      var now = 0
      for part in agenda.parts {
        #expect(part.from == now, "\(agenda.name): '\(part.text)' begins at \(now)")
        #expect(part.to - part.from == part.minutes && part.minutes > 0, "\(agenda.name): \(part)")
        now = part.to
      }
    }
  }

  @Test func `katas take as long as they do elsewhere, and leave a third of the time`() throws {
    for agenda in agendas {
      for part in agenda.parts {
        guard let name = Agenda.links(in: part.text).first else { continue }
        #expect(try Catalogue.kata(named: name).minutes == part.minutes, "\(agenda.name): \(name)")
      }
      let minutes = try agenda.katas.map { try Catalogue.kata(named: $0).minutes }.reduce(0, +)
      #expect(minutes * 3 <= agenda.length * 2, "\(agenda.name): \(minutes) of \(agenda.length)")
    }
  }

  @Test func `nothing comes before what it needs, and nothing twice`() throws {
    func check(_ names: [String], _ done: inout Set<String>) throws {
      for name in names {
        for need in try Catalogue.kata(named: name).needs {
          #expect(done.contains(need), "\(name) needs \(need)")
        }
        #expect(done.insert(name).inserted, "\(name) stands there twice")
      }
    }
    for day in agendas.prefix(3) {
      var done: Set<String> = []
      try check(day.katas + day.further, &done)
    }
    var done: Set<String> = []
    for lunch in lunches { try check(lunch.katas + lunch.further, &done) }
  }

  @Test func `each lunch is a whole module, with the minutes of its homework`() throws {
    try #require(lunches.count == Module.allCases.count)
    for (lunch, module) in zip(lunches, Module.allCases) {
      #expect(lunch.name.hasSuffix(": \(module.rawValue)"))
      let names = lunch.katas + lunch.further
      #expect(Set(names) == Set(Catalogue.katas(of: module).map(\.name)), "\(module.rawValue)")
      let minutes = try lunch.further.map { try Catalogue.kata(named: $0).minutes }.reduce(0, +)
      #expect(lunch.last.hasPrefix("Homework, \(minutes) minutes for all of it: "))
    }
  }

  @Test func `homework that a later lunch builds on is set in bold`() throws {
    var needed: Set<String> = []
    for lunch in lunches.reversed() {
      let bold = lunch.last.matches(of: #/\*\*<doc:(\w+)>\*\*/#).map { String($0.1) }
      #expect(bold == lunch.further.filter(needed.contains), "\(lunch.name)")
      // What a kata needs needs others in its turn.
      var open = lunch.katas
      while let name = open.popLast() {
        open += try Catalogue.kata(named: name).needs.filter { needed.insert($0).inserted }
      }
    }
  }
}

/// A workshop as the page tells it: a table of what is done when, and a line of links below.
private struct Agenda {
  struct Part {
    let from: Int
    let to: Int
    let minutes: Int
    let text: String
  }

  var name: String
  var parts: [Part] = []
  /// The last line below the table.
  var last = ""

  var length: Int { parts.last?.to ?? 0 }
  /// What all participants do.
  var katas: [String] { parts.flatMap { Self.links(in: $0.text) } }
  /// What may follow.
  var further: [String] { Self.links(in: last) }

  static func links(in text: String) -> [String] {
    text.matches(of: #/<doc:(\w+)>/#).map { String($0.1) }
  }

  static func all(in page: String) -> [Agenda] {
    var agendas: [Agenda] = []
    for line in page.split(separator: "\n") {
      if let heading = line.wholeMatch(of: #/###? (.+)/#) {
        agendas.append(Agenda(name: String(heading.1)))
      } else if let row = line.wholeMatch(
        of: #/\| (\d+):(\d\d) \| (\d+):(\d\d) \| (\d+) \| (.+) \|/#)
      {
        let numbers = [row.1, row.2, row.3, row.4, row.5].compactMap { Int($0) }
        agendas[agendas.count - 1].parts.append(
          Part(
            from: 60 * numbers[0] + numbers[1], to: 60 * numbers[2] + numbers[3],
            minutes: numbers[4], text: String(row.6)))
      } else if !agendas.isEmpty {
        agendas[agendas.count - 1].last = String(line)
      }
    }
    return agendas.filter { !$0.parts.isEmpty }
  }
}
