import Foundation
import Measuring

/// A contender, with as many operations as make a run long enough to be measured.
struct Runner {
  let name: String
  private let prepare: Preparation
  private let load: Load

  /// Finds out how many operations that takes.
  ///
  /// - Throws: A `BenchmarkError` if the results are wrong.
  init(_ name: String, threads: Int, _ prepare: @escaping Preparation) throws {
    self.name = name
    self.prepare = prepare
    var count = 1
    while true {
      let load = Load(threads: threads, count: count)
      // Twice: a run that was interrupted looks longer than it is.
      var wall = Double.infinity
      for _ in 0..<2 where wall >= Self.shortest {
        wall = min(wall, try Self.run(name, prepare, load).wall)
      }
      guard wall < Self.shortest else {
        self.load = load
        return
      }
      let missing = 1.3 * Self.shortest / max(wall, 1e-6)
      count = max(count + 1, Int(Double(count) * min(missing, 20)))
    }
  }

  /// The cost of one operation, measured in one run.
  func measure() throws -> Cost {
    try Self.run(name, prepare, load).each(of: load.operations)
  }

  /// A run takes at least this many seconds.
  private static let shortest = 0.025

  private static func run(_ name: String, _ prepare: Preparation, _ load: Load) throws -> Cost {
    do {
      return try prepare(load).run(threads: load.threads)
    } catch {
      throw BenchmarkError("\(name) is wrong with \(load): \(error).")
    }
  }
}

/// The costs of one operation of two contenders, which take turns.
struct Pairs {
  private(set) var reference: [Cost] = []
  private(set) var contender: [Cost] = []

  /// Measures `count` pairs; every other one begins with the contender.
  init(_ count: Int, reference: Runner, contender: Runner) throws {
    for number in 0..<count {
      if number.isMultiple(of: 2) { self.reference.append(try reference.measure()) }
      self.contender.append(try contender.measure())
      if !number.isMultiple(of: 2) { self.reference.append(try reference.measure()) }
    }
  }

  /// How many times as much the reference does in the same time, in each pair.
  func ratios(of time: KeyPath<Cost, Double>) -> Spread {
    Spread(zip(contender, reference).map { $0[keyPath: time] / $1[keyPath: time] })
  }
}
