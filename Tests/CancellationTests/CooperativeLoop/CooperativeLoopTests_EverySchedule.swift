import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CooperativeLoopTests {
  // MARK: - Every schedule

  @Test func `in every schedule the parts of a result belong together`() {
    typealias Call = ModelledCall<WatchedLoop, Void>
    let start = Call("start()") { $0.loop.start() }
    let cancel = Call("cancel()") { $0.loop.cancel() }
    let result = Call("result") { $0.read() }
    let subject = ModelledSubject({ WatchedLoop() }, check: { $0.complaint })
    explore([
      Scenario(subject, threads: [[start], [result]]),
      Scenario(subject, threads: [[start], [cancel], [result]]),
    ])
  }
}

/// A loop over two items, one in a chunk, and what was read from it.
private final class WatchedLoop: Sendable, OpaqueMirror {
  let loop = CooperativeLoop(count: 2, chunkSize: 1) { items in 10 * items.count }
  private let seen = LockedValue<[LoopResult]>([])

  func read() { seen.append(loop.result) }

  /// Finds a result whose parts don't belong together.
  var complaint: String? {
    guard let torn = seen.value.first(where: { $0 != Self.result(of: $0.itemCount) }) else {
      return nil
    }
    let whole = Self.result(of: torn.itemCount)
    return """
      Each of two items is worth 10. With the itemCount \(torn.itemCount) the total must be \
      \(whole.total) and isComplete \(whole.isComplete), and another thread has read \
      \(torn.total) and \(torn.isComplete).
      """
  }

  private static func result(of itemCount: Int) -> LoopResult {
    LoopResult(total: 10 * itemCount, itemCount: itemCount, isComplete: itemCount == 2)
  }
}
