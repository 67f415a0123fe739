import Foundation

extension KataFile {
  /// The kata that the file describes.
  ///
  /// - Throws: A ``KataError`` with the line where something is missing, unknown or superfluous.
  func kata(named name: String, in module: Module) throws -> Kata {
    Kata(
      name, module: module, title: head["title"]?.text ?? "",
      difficulty: try number("difficulty", 1...5), minutes: try number("minutes", 1...240),
      needs: list("needs"), buildsOn: list("builds on"),
      hints: try sections(.hint).map { try paragraphs($0, 1...1)[0] },
      questions: try sections(.question).map { section in
        let paragraphs = try paragraphs(section, 2...2)
        return Question(paragraphs[0], answer: paragraphs[1])
      },
      promises: try promises(), mistakes: try sections(.mistake).map(mistake),
      rightAnswers: try sections(.rightAnswer).map { section in
        let parts = try parts(of: section)
        try refuse(parts.facts, but: ["answer"])
        return RightAnswer(section.name, try answer(parts, of: section))
      },
      beyondOperation: try sections(.beyondOperation).map {
        BeyondOperation($0.name, try paragraphs($0, 1...1)[0])
      },
      equivalents: try sections(.equivalent).map {
        Equivalent($0.name, try paragraphs($0, 1...1)[0])
      })
  }

  private func sections(_ kind: Kind) -> [Section] { sections.filter { $0.kind == kind } }

  private func number(_ key: String, _ range: ClosedRange<Int>) throws -> Int {
    let line = head[key] ?? Line(number: 1, text: "")
    guard let number = Int(line.text), range.contains(number) else {
      throw fault(
        line.number,
        "'\(key)' is a number from \(range.lowerBound) to \(range.upperBound), not '\(line.text)'")
    }
    return number
  }

  private func list(_ key: String) -> [String] {
    head[key].map { $0.text.components(separatedBy: ", ") } ?? []
  }

  // MARK: - Sections

  /// The contents of a section: facts, then text, then code.
  private struct Parts {
    var facts: [(key: String, value: Line)] = []
    var paragraphs: [String] = []
    var code: (language: String, lines: [Line])?

    func values(_ key: String) -> [Line] { facts.filter { $0.key == key }.map(\.value) }
  }

  /// Reads a list of "- name: the whole bullet of the stub's documentation", with indented
  /// continuation lines.
  private func promises() throws -> [Promise] {
    let all = sections(.promises)
    if all.count > 1 { throw fault(all[1].line, "'## Promises' appears a second time") }
    var items: [(name: String, text: String)] = []
    for line in all.first?.numbered ?? [] where !line.text.isEmpty {
      if line.text.hasPrefix("- ") {
        let (name, text) = try pair(
          Line(number: line.number, text: String(line.text.dropFirst(2))))
        guard !items.contains(where: { $0.name == name }) else {
          throw fault(line.number, "there is a promise '\(name)' already")
        }
        guard !name.contains(",") else {
          throw fault(line.number, "a promise's name has no comma; 'breaks' has them between names")
        }
        items.append((name, text))
      } else if line.text.hasPrefix("  "), !items.isEmpty {
        items[items.count - 1].text += " " + line.text.trimmingCharacters(in: .whitespaces)
      } else {
        throw fault(line.number, "'- name: the bullet of the stub' is expected")
      }
    }
    return items.map { Promise($0.name, $0.text) }
  }

  private func mistake(_ section: Section) throws -> Mistake {
    let parts = try parts(of: section)
    try refuse(parts.facts, but: ["breaks", "rejected by", "verdict", "needs", "answer"])
    guard !parts.values("rejected by").isEmpty else {
      throw fault(section.line, "the mistake needs a line '- rejected by: ' with a test's name")
    }
    guard parts.paragraphs.count == 1 else {
      throw fault(section.line, "the mistake needs exactly one paragraph, with its advice")
    }
    return Mistake(
      section.name, try answer(parts, of: section),
      breaks: parts.values("breaks").flatMap { $0.text.components(separatedBy: ", ") },
      rejectedBy: parts.values("rejected by").map(\.text), verdict: try verdict(parts),
      needsCores: try needsCores(parts), advice: parts.paragraphs[0])
  }

  private func verdict(_ parts: Parts) throws -> Verdict.Kind {
    guard let line = try only("verdict", parts) else { return .failed }
    guard let kind = Verdict.Kind(rawValue: line.text), ![.passed, .racesNotChecked].contains(kind)
    else {
      throw fault(line.number, "a mistake's verdict is 'failed', 'hung', 'crashed' or 'race'")
    }
    return kind
  }

  private func needsCores(_ parts: Parts) throws -> Bool {
    guard let line = try only("needs", parts) else { return false }
    guard line.text == "two cores" else {
      throw fault(line.number, "a mistake can need only 'two cores'")
    }
    return true
  }

  /// How the answer of a section differs from the reference; nil if the section doesn't say so.
  private func answer(_ parts: Parts, of section: Section) throws -> Answer? {
    let file = try only("answer", parts)
    switch (file, parts.code) {
    case (let file?, nil):
      guard file.text.hasSuffix(".swift"), !file.text.contains("/") else {
        throw fault(file.number, "'answer' is the name of a Swift file in the folder 'Answers'")
      }
      return .file(file.text)
    case (nil, let code?):
      guard code.language == "diff" else {
        throw fault(section.line, "the change stands in a block that begins with '```diff'")
      }
      return .change(try Change(code.lines) { fault($0, $1) })
    case (nil, nil): return nil
    case (_?, _?): throw fault(section.line, "it has a file and a diff; give only one of them")
    }
  }

  private func only(_ key: String, _ parts: Parts) throws -> Line? {
    let values = parts.values(key)
    if values.count > 1 { throw fault(values[1].number, "'\(key)' appears a second time") }
    return values.first
  }

  private func refuse(_ facts: [(key: String, value: Line)], but known: [String]) throws {
    for fact in facts where !known.contains(fact.key) {
      let keys = known.map { "'\($0)'" }.joined(separator: ", ")
      throw fault(fact.value.number, "there is no '\(fact.key)' here; there is \(keys)")
    }
  }

  private func paragraphs(_ section: Section, _ count: ClosedRange<Int>) throws -> [String] {
    let parts = try parts(of: section)
    guard count.contains(parts.paragraphs.count), parts.facts.isEmpty, parts.code == nil else {
      let what =
        count.upperBound == 1 ? "one paragraph" : "a paragraph that asks, and one that answers"
      throw fault(section.line, "'\(section.kind.rawValue)' has \(what) and nothing else")
    }
    return parts.paragraphs
  }

  private func parts(of section: Section) throws -> Parts {
    var parts = Parts()
    var paragraph: [String] = []
    var isCode = false
    for line in section.numbered {
      if isCode {
        if line.text == "```" { isCode = false } else { parts.code?.lines.append(line) }
        continue
      }
      if line.text.isEmpty || line.text.hasPrefix("```") {
        if !paragraph.isEmpty { parts.paragraphs.append(paragraph.joined(separator: " ")) }
        paragraph = []
      }
      if line.text.isEmpty { continue }
      guard parts.code == nil else {
        throw fault(line.number, "only the next section may follow the code block")
      }
      if line.text.hasPrefix("```") {
        isCode = true
        parts.code = (String(line.text.dropFirst(3)), [])
      } else if line.text.hasPrefix("- "), paragraph.isEmpty {
        guard parts.paragraphs.isEmpty else {
          throw fault(line.number, "the list belongs above the text")
        }
        let (key, value) = try pair(
          Line(number: line.number, text: String(line.text.dropFirst(2))))
        parts.facts.append((key, Line(number: line.number, text: value)))
      } else {
        paragraph.append(line.text)
      }
    }
    if !paragraph.isEmpty { parts.paragraphs.append(paragraph.joined(separator: " ")) }
    return parts
  }
}
