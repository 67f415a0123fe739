import Foundation

/// Creates a subject for each run, with the work to do on it.
typealias Preparation = @Sendable (Load) -> Trial

/// An alternative to a reference.
struct Contender: Sendable {
  let name: String
  /// The ratio that the reference must reach; nil if the kata's page leaves the choice to its
  /// reader.
  let aim: Double?
  let prepare: Preparation

  init(_ name: String, aim: Double? = nil, _ prepare: @escaping Preparation) {
    self.name = name
    self.aim = aim
    self.prepare = prepare
  }
}

/// A use of a reference, compared with its alternatives.
struct Measurement: Sendable {
  let kata: String
  let subject: String
  /// The numbers of threads that it's measured with.
  var crews = Crew.allCases
  let reference: Preparation
  let contenders: [Contender]
}

/// Whether other threads compete.
enum Crew: String, CaseIterable, Sendable {
  case alone, contended

  var threads: Int {
    switch self {
    case .alone: 1
    case .contended: 4
    }
  }

  /// Starts as many threads, and waits until they have started.
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
