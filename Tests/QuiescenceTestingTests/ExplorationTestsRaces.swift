import Foundation
import KataPoints
import Testing

@testable import QuiescenceTesting

extension ExplorationTests {
  private final class Cell: Sendable {
    // Safe: it isn't, but no thread uses it: only the points say that one does.
    nonisolated(unsafe) private let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    private let lock: NSLock?
    /// The number of places without an access before each use.
    private let otherPlaces: Int

    init(isGuarded: Bool, otherPlaces: Int) {
      lock = isGuarded ? NSLock() : nil
      self.otherPlaces = otherPlaces
    }

    deinit { memory.deallocate() }

    func read() { use(kata_access_read) }
    func write() { use(kata_access_write) }

    private func use(_ access: kata_access, line: Int = #line) {
      for place in 0..<otherPlaces { point(1000 + place) }
      lock?.lock()
      kata_points_reach(UInt(line) + UInt(access.rawValue), memory, 8, access, nil)
      lock?.unlock()
    }
  }

  private func races(isGuarded: Bool, writes: Bool, otherPlaces: Int = 0) -> Exploration {
    let subject = ModelledSubject<Cell, Int>(
      model: 0, { Cell(isGuarded: isGuarded, otherPlaces: otherPlaces) })
    let read = ModelledCall<Cell, Int>("read()") {
      $0.read()
    } step: { _ in
      .returns
    }
    let write = ModelledCall<Cell, Int>("write()") {
      $0.write()
    } step: { _ in
      .returns
    }
    return finding {
      explore([Scenario(subject, threads: [[read], [writes ? write : read]])], seconds: 20)
    }
  }

  @Test func `a race is seen, and none if a lock keeps threads apart or no thread writes`() {
    #expect(races(isGuarded: false, writes: true).finding?.contains("the same memory") == true)
    #expect(races(isGuarded: true, writes: true).finding == nil)
    #expect(races(isGuarded: false, writes: false).finding == nil)
  }

  @Test func `places where a race would show are among the first to be held`() {
    let exploration = races(isGuarded: false, writes: true, otherPlaces: 300)
    #expect(exploration.finding?.contains("the same memory") == true)
    // Both orders without a hold, and the first of those with one.
    #expect(exploration.schedules == 3)
  }
}
