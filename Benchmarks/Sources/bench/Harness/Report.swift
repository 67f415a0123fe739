import Foundation
import Measuring

extension Measurement {
  /// Measures all contenders in `pairs` pairs with the reference, and prints the results.
  ///
  /// - Throws: A `BenchmarkError` if a contender doesn't do what it must.
  func report(_ crew: Crew, pairs: Int) throws {
    say("\n\(kata), \(subject); \(crew.description)")
    let reference = try Runner(kata, threads: crew.threads, reference)
    var costs: [String] = []
    for contender in contenders {
      let runner = try Runner(contender.name, threads: crew.threads, contender.prepare)
      let pairs = try Pairs(pairs, reference: reference, contender: runner)
      let clock = pairs.ratios(of: \.wall)
      let columns = [
        "  \(contender.name)".padded(to: 40), "\(clock)".padded(to: 26),
        "\(pairs.ratios(of: \.processor))".padded(to: contender.aim == nil ? 0 : 26),
        contender.aim.map(clock.verdict) ?? "",
      ]
      say(columns.joined())
      if costs.isEmpty { costs.append(Self.cost(of: kata, pairs.reference)) }
      costs.append(Self.cost(of: contender.name, pairs.contender))
    }
    say("  (nanoseconds each, clock/processors: \(costs.joined(separator: ", ")))")
  }

  private static func cost(of name: String, _ costs: [Cost]) -> String {
    let medians = [costs.map(\.wall), costs.map(\.processor)].map { 1e9 * Spread($0).median }
    return String(format: "%@ %.0f/%.0f", name, medians[0], medians[1])
  }
}

extension Spread {
  /// Whether three quarters of the pairs meet an aim, or three quarters miss it, or neither.
  fileprivate func verdict(aim: Double) -> String {
    let verdict =
      switch aim {
      case ...low: "met"
      case ...high: "undecided"
      default: "missed"
      }
    return String(format: "aim %.1f: ", aim) + verdict
  }
}

extension String {
  /// The string, padded with spaces at its end if it's shorter.
  fileprivate func padded(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
