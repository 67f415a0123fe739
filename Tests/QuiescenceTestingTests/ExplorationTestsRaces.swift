import Foundation
import KataPoints
import Testing

@testable import QuiescenceTesting

extension ExplorationTests {
  private final class Cell: Sendable {
    // Safe: it isn't, but no thread uses it: only the points say that one does.
    nonisolated(unsafe) private let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    private let lock: NSLock?

    init(isGuarded: Bool) { lock = isGuarded ? NSLock() : nil }

    deinit { memory.deallocate() }

    func read() { use(kata_access_read) }
    func write() { use(kata_access_write) }

    private func use(_ access: kata_access, line: Int = #line) {
      lock?.lock()
      kata_points_reach(UInt(line) + UInt(access.rawValue), memory, 8, access, nil)
      lock?.unlock()
    }
  }

  private func races(isGuarded: Bool, writes: Bool) -> Exploration {
    let subject = ModelledSubject<Cell, Int>(model: 0, { Cell(isGuarded: isGuarded) })
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
}
