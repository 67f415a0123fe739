/// The page `Agendas` of the documentation: workshops minute by minute, generated from ``Agendas``.
public struct AgendasPage {
  public init() {}

  /// The page's name, which is its file's without the extension.
  public var name: String { "Agendas" }

  /// The page, as DocC takes it.
  public var markdown: String {
    """
    # Agendas

    Ready-made workshops, minute by minute: ninety minutes, half a day, a full day, six lunches.

    ## Overview

    The katas' minutes are those of the catalogue, and each comes after those that it needs. At most two
    thirds of the time belong to them: the rest is for talking, and for whoever needs longer. Where the
    room is slow, leave a kata out from the end rather than the questions in between; how to run the room
    is in <doc:Workshop>.

    \(Agendas.days.map(section).joined(separator: "\n\n"))

    ## Six lunches

    One module each, a week apart, say. What isn't done at lunch is homework, for as many evenings as
    people like. What a later lunch builds on is set in bold: that much everybody should have done by then.

    \(Agendas.lunches.indices.map(lunch).joined(separator: "\n\n"))

    """
  }

  private func section(_ agenda: Agenda) -> String {
    """
    ## \(agenda.name)

    \(agenda.aim)

    \(table(agenda))

    Whoever is done first goes on with \(agenda.further.map(link).joined(separator: ", ")).
    """
  }

  private func lunch(_ index: Int) -> String {
    let agenda = Agendas.lunches[index]
    let needed = Agendas.needed(after: index)
    let homework = agenda.further.map { needed.contains($0) ? "**\(link($0))**" : link($0) }
    let katas = agenda.further.compactMap { try? Catalogue.kata(named: $0) }
    return """
      ### Lunch \(index + 1): \(agenda.name)

      \(agenda.aim) What to ask is in <doc:Workshop\(agenda.name)>.

      \(table(agenda))

      Homework, \(katas.map(\.minutes).reduce(0, +)) minutes for all of it: \(homework.joined(separator: ", ")).
      """
  }

  private func table(_ agenda: Agenda) -> String {
    var now = 0
    var rows = ["| From | To | Minutes | What |", "|---|---|---|---|"]
    for part in agenda.parts {
      let minutes = part.minutes
      rows.append("| \(clock(now)) | \(clock(now + minutes)) | \(minutes) | \(text(part)) |")
      now += minutes
    }
    return rows.joined(separator: "\n")
  }

  private func text(_ part: Agenda.Part) -> String {
    switch part {
    case .kata(let name): link(name)
    case .together(_, let text): text
    case .pause(_, let text): "*\(text)*"
    }
  }

  private func link(_ kata: String) -> String { "<doc:\(kata)>" }

  /// So many minutes from the beginning, as hours and minutes.
  private func clock(_ minutes: Int) -> String {
    "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
  }
}

extension Agenda.Part {
  /// How long it takes; a kata that the catalogue doesn't know takes no time.
  var minutes: Int {
    switch self {
    case .kata(let name): (try? Catalogue.kata(named: name).minutes) ?? 0
    case .together(let minutes, _), .pause(let minutes, _): minutes
    }
  }
}

extension Agendas {
  /// What the lunches after this one need, the katas of their homework that they need among them.
  static func needed(after index: Int) -> Set<String> {
    var needed: Set<String> = []
    var open = lunches[(index + 1)...].flatMap(\.katas)
    while let name = open.popLast() {
      for need in (try? Catalogue.kata(named: name).needs) ?? []
      where needed.insert(need).inserted {
        open.append(need)
      }
    }
    return needed
  }
}
