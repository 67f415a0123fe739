import Foundation

/// Makes a subject for each run, with the work to do with it.
typealias Preparation = @Sendable (Load) -> Trial

/// One way to do what a reference does.
struct Contender: Sendable {
  let name: String
  /// How many times as much the reference has to do in the same time; nil if the page of the kata
  /// leaves the choice to its reader.
  let aim: Double?
  let prepare: Preparation

  init(_ name: String, aim: Double? = nil, _ prepare: @escaping Preparation) {
    self.name = name
    self.aim = aim
    self.prepare = prepare
  }
}

/// A use of a reference, beside other ways to do the same.
struct Measurement: Sendable {
  let kata: String
  let subject: String
  /// The numbers of threads to measure with.
  var crews = Crew.allCases
  let reference: Preparation
  let contenders: [Contender]
}

/// The threads that do the work: one, or several that contend.
enum Crew: String, CaseIterable, Sendable {
  case alone, contended

  var threads: Int {
    switch self {
    case .alone: 1
    case .contended: 4
    }
  }

  /// Starts as many threads, and waits until all have started.
  func meet() {
    let group = DispatchGroup()
    for _ in 0..<threads {
      group.enter()
      Thread.detachNewThread { group.leave() }
    }
    group.wait()
  }

  var description: String {
    switch self {
    case .alone: "one thread"
    case .contended: "\(threads) threads"
    }
  }
}
