import Foundation
import KataTesting
import Testing

/// An operation that has a name, and calls `body` when it runs.
// Safe: only `runsUntilRead` changes, which has a lock.
final class CycleNode: Operation, @unchecked Sendable {
  private let body: @Sendable () -> Void
  /// Foundation on Linux never returns from `addDependency` with the operation itself, so this
  /// operation overrides `dependencies` instead.
  private let waitsForItself: Bool

  init(_ name: String, waitsForItself: Bool = false, body: @escaping @Sendable () -> Void) {
    self.body = body
    self.waitsForItself = waitsForItself
    super.init()
    self.name = name
  }

  override var dependencies: [Operation] {
    waitsForItself ? super.dependencies + [self] : super.dependencies
  }

  override var isReady: Bool { waitsForItself ? isCancelled : super.isReady }

  /// True until its state is read, then false; nil if it doesn't pretend anything.
  private let runsUntilRead = LockedValue<Bool?>(nil)

  /// From now on it seems to run, and to finish just after its state is read for the first time.
  func endWhenRead() { runsUntilRead.set(true) }

  override var isExecuting: Bool { isRunningUntilRead ?? super.isExecuting }
  override var isFinished: Bool { isRunningUntilRead.map { !$0 } ?? super.isFinished }

  /// Whether it seems to run; nil if it doesn't pretend anything.
  private var isRunningUntilRead: Bool? {
    runsUntilRead.withLock { isRunning in
      defer { if isRunning == true { isRunning = false } }
      return isRunning
    }
  }

  override func main() { body() }
}

/// Operations that depend on each other, by name.
struct CycleGraph: Sendable {
  /// The names, in the order of the literal.
  let names: [String]
  private let nodes: [String: CycleNode]

  /// Creates operations, each with the names of those that it waits for.
  ///
  /// `body` is called with the name of each operation that runs.
  init(
    _ waiting: KeyValuePairs<String, [String]>,
    body: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    names = waiting.map(\.key)
    nodes = Dictionary(
      uniqueKeysWithValues: waiting.map { name, others in
        (name, CycleNode(name, waitsForItself: others.contains(name)) { body(name) })
      })
    for (name, others) in waiting {
      for other in others where other != name { self[name].addDependency(self[other]) }
    }
  }

  subscript(name: String) -> CycleNode {
    guard let node = nodes[name] else { preconditionFailure("No operation is called \(name).") }
    return node
  }

  func callAsFunction(_ names: [String]) -> [Operation] { names.map { self[$0] } }

  /// What each operation waits for, one a line, for messages.
  var lines: String { self(names).dependencyLines }

  /// Releases them: operations that wait for each other retain each other.
  ///
  /// They are cancelled one at a time. On Linux an operation that finishes locks its dependents, so
  /// two of a cycle that finish at the same moment may wait for each other's lock for ever.
  func takeApart() {
    runUntilQuiet()
    for name in names where !self[name].isFinished {
      self[name].cancel()
      runUntilQuiet()
    }
    for name in names {
      for other in self[name].dependencies { self[name].removeDependency(other) }
    }
  }
}

extension Array where Element: Operation {
  /// What each operation depends on, one a line.
  var dependencyLines: String {
    map { operation in
      let others = operation.dependencies.compactMap(\.name).joined(separator: " and ")
      return
        "  \(operation.name ?? "?") \(others.isEmpty ? "waits for nothing" : "waits for \(others)")"
    }
    .joined(separator: "\n")
  }

  /// Whether each depends on the next, and the last on the first, and none is there twice.
  var isCycle: Bool {
    guard let first, Set(map { ObjectIdentifier($0) }).count == count else { return false }
    return zip(self, dropFirst() + [first]).allSatisfy { operation, next in
      operation.dependencies.contains { $0 === next }
    }
  }
}
