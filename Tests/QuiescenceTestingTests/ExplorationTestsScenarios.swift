import Testing

@testable import QuiescenceTesting

extension ExplorationTests {
  @Test func `threads begin in all orders but those that exchange the same calls`() {
    let scenario = Scenario(box, threads: [[put], [take], [take]])
    #expect(scenario.orders == [[0, 1, 2], [1, 0, 2], [1, 2, 0]])
  }

  @Test func `scenarios that differ in the order of their threads alone are one`() {
    let list = CallList(box, calls: [put, take])
    #expect(
      list.scenarios(threads: 2, calls: 1).map(\.name) == [
        "put(1) ∥ put(1)", "put(1) ∥ take()", "take() ∥ take()",
      ])
    #expect(list.scenarios(threads: 3, calls: 1).count == 4)
    #expect(list.scenarios(threads: 2, calls: 2).count == 10)
    #expect(
      CallList(box, calls: [put.onlyOnce, take]).scenarios(threads: 2, calls: 1).map(\.name) == [
        "put(1) ∥ take()", "take() ∥ take()",
      ])
  }

  @Test func `what makes no sense gets a sentence`() {
    func sentence(_ scenarios: [Scenario<Box, [Int]>]) -> String {
      let said = LockedValue("")
      withKnownIssue {
        explore(scenarios)
      } matching: { issue in
        said.set(issue.comments.first?.rawValue ?? "")
        return true
      }
      return said.value
    }
    #expect(sentence([]) == "There is no scenario to explore.")
    #expect(sentence([Scenario(box, threads: [[put], []])]).contains("makes one call at least"))
    #expect(
      sentence([Scenario(box, threads: Array(repeating: [put], count: 5))]).contains(
        "this one has 5"))
  }
}
