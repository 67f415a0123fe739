import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct WholeTypeMutantTests {
  private static let box = """
    import Dispatch

    public final class Box: Sendable {
      private let lock = NSLock()
      private nonisolated(unsafe) var count = Tally()
      private var last: Int?
      private let onChange: @Sendable (Int) -> Void

      public var isEmpty: Bool { lock.withLock { count.isZero } }

      public func next() -> Int {
        lock.withLock { count.rise() }
      }

      public func tell(_ number: Int) {
        onChange(number)
      }
    }
    """

  private func wholeTypeMutants(stub: String = "") -> [Mutant] {
    Mutant.all(of: Self.box, stub: stub).filter {
      $0.name.hasPrefix("one for all") || $0.name.hasPrefix("a recursive")
        || $0.name.hasPrefix("called later")
    }
  }

  @Test func `a type's state, its lock and its calls are tried as well`() {
    #expect(
      wholeTypeMutants().map(\.name) == [
        "one for all objects: private nonisolated(unsafe) var count = Tally()",
        "one for all objects: private var last: Int?",
        "a recursive lock held in every member: public final class Box",
        "called later: onChange(number)",
      ])
  }

  @Test func `a property becomes one for all objects`() throws {
    let shared = try #require(wholeTypeMutants().first)
    #expect(
      shared.text.contains(
        """
          private var count: Tally {
            get { Self.shared }
            set { Self.shared = newValue }
          }
          private nonisolated(unsafe) static var shared: Tally = Tally()
        """))
  }

  @Test func `every member holds a lock`() throws {
    let locked = try #require(wholeTypeMutants().dropFirst(2).first?.text)
    #expect(
      locked.contains(
        "var isEmpty: Bool { everyMember.withLock { lock.withLock { count.isZero } } }"))
    #expect(
      locked.contains(
        """
          public func next() -> Int {
            everyMember.lock()
            defer { everyMember.unlock() }
            return lock.withLock { count.rise() }
        """))
    #expect(
      locked.contains("    defer { everyMember.unlock() }\n    onChange(number)\n"),
      "What returns nothing needs no return.")
  }

  @Test func `properties that the stub gives aren't shared`() {
    let names = wholeTypeMutants(stub: "  private var last: Int?").map(\.name)
    #expect(!names.contains { $0.contains("last") } && names.count == 3)
  }
}
