import Foundation
import Measuring

/// The measurements, each in pairs: the contenders take turns in the same run.
struct Benchmark {
  let source: URL
  let kata: String
  /// The path of the `kata` command.
  let tool: String
  let pairs: Int

  /// All kinds of edits: our loop, `swift test` and the floor.
  func edits() throws {
    let clone = try Clone(of: source, kata: kata, tool: tool)
    say("The first builds of \(clone.kata.module) …")
    try clone.save(.body)
    try clone.judge()
    try clone.swiftTest()
    let floor = try Floor(of: clone)
    for edit in Edit.allCases {
      let costs = try inTurns(
        ["kata run", "swift test --filter", "floor"],
        before: { try clone.save(edit) },
        [clone.judge, clone.swiftTest, floor.build])
      report("Edit of \(edit.rawValue), save to verdict", costs, against: [(0, 1), (0, 2), (1, 2)])
    }
    try watching(clone, floor)
    try sanitizer(clone)
  }

  /// The cost of a save while `kata watch` runs, beside the floor, which needs no save.
  private func watching(_ clone: Clone, _ floor: Floor) throws {
    let watcher = try Watcher(clone)
    defer { watcher.end() }
    for edit in [Edit.body, .storedProperty] {
      var costs: [[Cost]] = [[], []]
      for _ in 0..<pairs {
        watcher.waitUntilItRests()
        watcher.clear()
        try clone.save(edit)
        costs[0].append(try Cost.measure(.childProcesses) { try watcher.waitForVerdict() })
        watcher.waitUntilItRests()
        costs[1].append(try Cost.measure(.childProcesses, floor.build))
      }
      reportWall(
        "Edit of \(edit.rawValue) in a running 'kata watch', to the first line", costs[0], costs[1])
    }
  }

  /// The time from the plain verdict to the end of the check for data races.
  private func sanitizer(_ clone: Clone) throws {
    try clone.save(.body, of: clone.reference)
    say("The first build with Thread Sanitizer …")
    try clone.judgeToTheEnd()
    var costs: [[Cost]] = [[], []]
    for _ in 0..<pairs {
      try clone.save(.body)
      costs[0].append(try Cost.measure(.childProcesses, clone.judge))
      try clone.save(.body, of: clone.reference)
      costs[1].append(try Cost.measure(.childProcesses, clone.judgeToTheEnd))
    }
    report(
      "Edit of a body, save to 'passed' with Thread Sanitizer",
      [("to the plain verdict", costs[0]), ("to the end", costs[1])], against: [(1, 0)])
  }

  /// Whether a save costs more if there are more katas.
  func growth() throws {
    let small = try Clone(of: source, kata: kata, tool: tool)
    let large = try Clone(of: source, kata: kata, tool: tool)
    let added = 8
    try large.grow(by: added)
    say("The first builds …")
    for clone in [small, large] {
      try clone.save(.body)
      try clone.judge()
    }
    for edit in [Edit.body, .storedProperty] {
      let costs = try inTurns(
        ["the module as it is", "with \(added) katas more"],
        before: {
          try small.save(edit)
          try large.save(edit)
        }, [small.judge, large.judge])
      report("Edit of \(edit.rawValue), save to verdict", costs, against: [(1, 0)])
    }
  }

  /// A fresh clone to its first verdict: builds the tool, then the module, then judges.
  func fresh() throws {
    let clone = try Clone(of: source, kata: kata, tool: tool)
    try clone.save(.body)
    let cost = try Cost.measure(.childProcesses) {
      try Command(words: ["make", "run", "KATA=\(kata)"], folder: clone.root).run()
    }
    let cores = ProcessInfo.processInfo.activeProcessorCount
    say(
      String(
        format: """

          Fresh clone to first verdict ('make run'): %.1f s on %d cores, of which they worked %.1f s
          together; with two cores to itself it takes %.1f s at least.
          """, cost.wall, cores, cost.processor, cost.processor / 2))
  }

  // MARK: - Measuring and printing

  private func inTurns(
    _ names: [String], before: () throws -> Void, _ contenders: [() throws -> Void]
  ) throws -> [(String, [Cost])] {
    var costs = names.map { ($0, [Cost]()) }
    for turn in 0..<pairs {
      for place in contenders.indices {
        let index = (turn + place) % contenders.count
        try before()
        costs[index].1.append(try Cost.measure(.childProcesses, contenders[index]))
      }
    }
    return costs
  }

  private func report(
    _ title: String, _ costs: [(name: String, costs: [Cost])], against: [(Int, Int)]
  ) {
    say("\n\(title); median (quartiles) of \(pairs) pairs")
    for (a, b) in against {
      let pairs = zip(costs[a].costs, costs[b].costs)
      say("  \(costs[a].name) : \(costs[b].name)")
      say("    time on the clock      \(Spread(pairs.map { $0.wall / $1.wall }))")
      say("    time of the processors \(Spread(pairs.map { $0.processor / $1.processor }))")
    }
    let medians = costs.map { name, costs in
      let (wall, processor) = (Spread(costs.map(\.wall)), Spread(costs.map(\.processor)))
      return "\(name) \(String(format: "%.2f/%.2f", wall.median, processor.median))"
    }
    say("  (medians in seconds, clock/processors: \(medians.joined(separator: ", ")))")
  }

  private func reportWall(_ title: String, _ costs: [Cost], _ base: [Cost]) {
    say("\n\(title); median (quartiles) of \(pairs) pairs")
    say("  kata watch : floor")
    let ratios = zip(costs, base).map { $0.wall / $1.wall }
    say("    time on the clock      \(Spread(ratios))")
  }
}
