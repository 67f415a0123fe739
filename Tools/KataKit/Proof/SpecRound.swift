import Dispatch
import Foundation

/// The specs of several answers that are built, several at once.
///
/// Specs of wrong answers mostly wait, so there are more of them at a time than cores.
final class SpecRound: Sendable {
  private let candidates: [Candidate]
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var results: [Result<Finding, any Error>?]
  private nonisolated(unsafe) var next = 0  // Safe: as above.
  private let lock = NSLock()
  private let threads = DispatchGroup()

  /// Begins to judge `candidates`, each by `judge`, on threads of their own.
  init(
    _ candidates: [Candidate], judge: @escaping @Sendable (Candidate) throws -> Finding
  ) {
    self.candidates = candidates
    results = Array(repeating: nil, count: candidates.count)
    let width = 2 * ProcessInfo.processInfo.activeProcessorCount
    for _ in 0..<min(width, candidates.count) {
      threads.enter()
      Thread.detachNewThread { [self] in
        while let index = takeNext() {
          let result = Result { try judge(candidates[index]) }
          lock.withLock { results[index] = result }
        }
        threads.leave()
      }
    }
  }

  /// Waits until all are judged.
  func wait() { threads.wait() }

  /// Waits until all are judged, and says what came of each.
  func findings() throws -> [Finding] {
    wait()
    return try lock.withLock { results }.compactMap { try $0?.get() }
  }

  /// The number of an answer that no thread has taken; nil when there is none left.
  private func takeNext() -> Int? {
    lock.withLock {
      guard next < candidates.count else { return nil }
      defer { next += 1 }
      return next
    }
  }
}
