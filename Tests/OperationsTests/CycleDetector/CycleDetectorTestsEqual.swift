import Foundation
import KataTesting
import Testing

extension CycleDetectorTests {
  // MARK: - Equal operations

  // x ──▶ a ──▶ b, and then b ──▶ a, too
  @Test func `operations that are equal are different operations`() throws {
    let (x, a, b) = (EqualNode("x"), EqualNode("a"), EqualNode("b"))
    x.addDependency(a)
    a.addDependency(b)
    let none = try mustReturn("cycle(from:)") { CycleDetector.cycle(from: [x, a, b]) }
    #expect(
      none == nil,
      """
      x waits for a, and a for b. The three are equal by isEqual, but each is an operation of its \
      own: there is no cycle, and cycle(from:) returned \(names(none)).
      """)
    b.addDependency(a)
    defer { b.removeDependency(a) }
    let cycle = try mustReturn("cycle(from:)") { CycleDetector.cycle(from: [x]) }
    #expect(
      cycle?.isCycle == true,
      """
      a and b wait for each other, and x waits for a. The three are equal by isEqual, but each is \
      an operation of its own: a and b are the cycle, and cycle(from:) returned \(names(cycle)).
      """)
  }

  @Test func `of operations that are equal each is added, and each is named`() throws {
    let (a, b) = (EqualNode("a"), EqualNode("b"))
    let queue = OperationQueue()
    try mustReturn("addOperations") { try queue.addOperations(refusingCycles: [a, b]) }
    eventually(
      """
      a and b wait for nothing, and were added together. They are equal by isEqual, but each is an \
      operation of its own: both must be added, and run.
      """
    ) { a.isFinished && b.isFinished }
    let members = DependencyCycle([a, b]).operations
    #expect(
      members.elementsEqual([a, b], by: ===),
      """
      A cycle has the members a and b, which are equal by isEqual. Its operations must be these \
      two, in this order; they are \(names(members)).
      """)
  }

  private func names(_ operations: [Operation]?) -> String {
    operations.map { $0.map { $0.name ?? "?" }.joined(separator: ", ") } ?? "nil"
  }
}

/// An operation that has a name, and is equal to every other of its kind.
// Safe: it has no state of its own.
private final class EqualNode: Operation, @unchecked Sendable {
  init(_ name: String) {
    super.init()
    self.name = name
  }

  override var hash: Int { 0 }
  override func isEqual(_ object: Any?) -> Bool { object is EqualNode }
}
