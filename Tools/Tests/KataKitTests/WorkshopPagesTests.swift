import Testing

@testable import KataAuthor
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
      #expect(lines.contains { $0.contains(kata.hints[0]) })
      for mistake in kata.mistakes {
        let (name, advice) = (mistake.name.cell, mistake.advice.cell)
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
