import Dispatch
import KataTesting
import Testing

extension DebouncerTests {
  // MARK: - Every schedule

  @Test func `in every schedule a silenced value is never delivered`() {
    explore(
      CallList(
        ModelledSubject(
          model: 0, { SentBefore() }, end: { "\($0.laterDeliveries)" }, modelEnd: { "\($0)" }),
        calls: [
          ModelledCall("send") {
            $0.debouncer.send("later")
          } model: {
            $0 = 1
          },
          ModelledCall("send, then the first delay is over") { subject in
            subject.debouncer.send("later")
            return subject.firstOutcome()
          } model: {
            $0 = 1
            return "silenced"
          },
          ModelledCall("cancel, then the first delay is over") { subject in
            subject.debouncer.cancel()
            return subject.firstOutcome()
          } model: {
            $0 = 0
            return "silenced"
          },
        ]))
  }
}

/// A debouncer to which a value has been sent, whose delay isn't over.
private final class SentBefore: Sendable, OpaqueMirror {
  let debouncer: Debouncer<String>
  private let timers = ManualTimers()
  private let queue = DispatchQueue(label: "katas.spec.debouncer")
  private let delivered: LockedValue<[String]>
  private let isFirstDelayOver = LockedValue(false)

  init() {
    let delivered = LockedValue<[String]>([])
    self.delivered = delivered
    debouncer = Debouncer(
      delay: DebouncerStage.delay, queue: queue, schedule: timers.scheduler
    ) { delivered.append($0) }
    debouncer.send("first")
  }

  /// How many values are delivered after the first, when all delays are over.
  var laterDeliveries: Int {
    timers.firePending()
    queue.sync {}
    return delivered.value.count { $0 == "later" }
  }

  /// Lets the delay of the first value be over, and says whether that value is delivered.
  func firstOutcome() -> String {
    // Once: libdispatch may over-release the queue if an item is submitted again just as it ends.
    isFirstDelayOver.withLock { isOver in
      if !isOver { timers.fire(0..<1) }
      isOver = true
    }
    queue.sync {}
    return delivered.value.contains("first") ? "delivered" : "silenced"
  }
}
