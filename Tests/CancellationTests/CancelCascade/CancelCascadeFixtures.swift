import AsyncOperations
import Foundation
import KataTesting
import Testing

/// The order in which operations are given.
enum CascadeList: String, CaseIterable, Sendable, CustomStringConvertible {
  case fromTheRoot = "from the root outwards"
  case toTheRoot = "towards the root"
  case mixed = "out of order"
  case twice = "twice"

  var description: String { rawValue }

  /// Puts operations, given from the root outwards, into this order.
  func callAsFunction(_ operations: [Operation]) -> [Operation] {
    switch self {
    case .fromTheRoot: operations
    case .toTheRoot: operations.reversed()
    case .mixed:
      operations.indices.filter { $0 % 2 == 1 }.map { operations[$0] }
        + operations.indices.filter { $0 % 2 == 0 }.map { operations[$0] }
    case .twice: operations + operations
    }
  }
}

/// Operations that depend on each other, by name.
struct CascadeGraph: Sendable {
  /// The names, in the order in which they were written.
  let names: [String]
  private let jobs: [String: CancelAllJob]
  private let timeline: Timeline

  /// Makes operations, each with the names of its dependencies, which come before it.
  ///
  /// `afterCancel` is called inside the `cancel()` of each of them, after all else.
  init(
    _ dependencies: KeyValuePairs<String, [String]>, on timeline: Timeline,
    afterCancel: @escaping @Sendable () -> Void = {}
  ) {
    names = dependencies.map(\.key)
    self.timeline = timeline
    var jobs: [String: CancelAllJob] = [:]
    for (name, needed) in dependencies {
      let job = CancelAllJob(name, on: timeline, afterCancel: afterCancel)
      for name in needed { job.addDependency(jobs[name]!) }
      jobs[name] = job
    }
    self.jobs = jobs
  }

  subscript(name: String) -> CancelAllJob { jobs[name]! }

  /// The names of all that are cancelled, sorted.
  var cancelled: [String] { names.filter { self[$0].isCancelled }.sorted() }

  /// How often an operation was cancelled.
  func tells(of name: String) -> Int {
    timeline.events.count { $0.who == name && $0.kind == .mark("cancelled") }
  }

  /// Starts an operation by hand and lets it finish.
  func live(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    self[name].start()
    self[name].end()
    try #require(self[name].isFinished, sourceLocation: sourceLocation)
  }

  /// Calls `cancelCascade` with all of them, on a thread of its own that must return.
  func cascade(
    from name: String, _ list: CascadeList = .fromTheRoot,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(
      "cancelCascade",
      "It cancels them and returns. Does it follow the same operations again and again?",
      sourceLocation: sourceLocation
    ) { callCascade(from: name, list) }
  }

  /// Takes all edges out of the graph.
  func takeApart() {
    for name in names {
      for dependency in self[name].dependencies { self[name].removeDependency(dependency) }
    }
  }

  func callCascade(from name: String, _ list: CascadeList) {
    self[name].cancelCascade(among: list(names.map { self[$0] }))
  }
}

/// An operation that is cancelled, and leaves, just after its state was first read.
// Safe: nothing changes but the mark, which has a lock.
final class CascadeLeaver: Operation, @unchecked Sendable {
  private let isWatched = LockedValue(false)

  /// From now on it leaves when `isFinished` or `isCancelled` is read.
  func leaveWhenRead() { isWatched.set(true) }

  override var isFinished: Bool { leave(after: super.isFinished) }
  override var isCancelled: Bool { leave(after: super.isCancelled) }

  /// Returns what was read, which is out of date by then.
  private func leave(after read: Bool) -> Bool {
    let isFirst = isWatched.withLock { isWatched in
      defer { isWatched = false }
      return isWatched
    }
    if isFirst {
      cancel()
      start()
    }
    return read
  }
}

/// A graph in which the wrong order makes an operation begin.
struct CascadeShape: Sendable, CustomStringConvertible {
  let description: String
  let dependencies: KeyValuePairs<String, [String]>
  /// The operations that begin at once.
  let first: [String]
  var rootHasFailed = false

  static let all = [
    // root ◀── a ◀── b
    CascadeShape(
      description: "a chain", dependencies: ["root": [], "a": ["root"], "b": ["a"]],
      first: ["root"]),
    // root ◀── a, c ◀── b
    CascadeShape(
      description: "a diamond",
      dependencies: ["root": [], "a": ["root"], "c": ["root"], "b": ["a", "c"]], first: ["root"]),
    // root, failed ◀── a; both ◀── b. a waits for another one, so that b waits only for a.
    CascadeShape(
      description: "a failed root and a short cut",
      dependencies: ["root": [], "other": [], "a": ["root", "other"], "b": ["root", "a"]],
      first: ["root", "other"], rootHasFailed: true),
    // root, failed ◀── a ◀── b ◀── c, and c depends on root as well: it's found before b.
    CascadeShape(
      description: "a failed root and a long way round",
      dependencies: [
        "root": [], "other": [], "a": ["root", "other"], "b": ["a", "other"], "c": ["root", "b"],
      ],
      first: ["root", "other"], rootHasFailed: true),
  ]
}
