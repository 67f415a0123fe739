import AsyncOperations
import Foundation
import KataTesting

/// An operation that works until the spec ends it, or until it's cancelled.
// Safe: never changed after it is made.
final class CancelAllJob: AsyncOperation, @unchecked Sendable {
  /// What a job does when it's cancelled while it works.
  enum Manner: Sendable {
    /// It ends at once.
    case obedient
    /// It goes on until the spec ends it.
    case stubborn
  }

  let label: String
  private let manner: Manner
  private let timeline: Timeline
  private let afterCancel: @Sendable () -> Void
  private let ends = SharedCounter()

  init(
    _ label: String, _ manner: Manner = .obedient, on timeline: Timeline,
    afterCancel: @escaping @Sendable () -> Void = {}
  ) {
    self.label = label
    self.manner = manner
    self.timeline = timeline
    self.afterCancel = afterCancel
    super.init()
    completionBlock = { timeline.mark(label, "completed") }
  }

  override func main() {
    timeline.enter(label)
    if isCancelled, manner == .obedient { end() }
  }

  override func cancel() {
    super.cancel()
    timeline.mark(label, "cancelled")
    if manner == .obedient { end() }
    afterCancel()
  }

  /// The work ends, if it has begun and hasn't ended.
  func end() {
    guard isExecuting, ends.increment() == 1 else { return }
    timeline.leave(label)
    finish()
  }

  /// Whether the completion block was called.
  var hasCompleted: Bool {
    timeline.events.contains { $0.who == label && $0.kind == .mark("completed") }
  }
}
