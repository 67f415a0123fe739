/// A life, the answer's prediction of it, and the reasons for the flags.
struct LifeProgram: Sendable {
  /// The prediction's name in `LifecycleLog`.
  let name: String
  let prediction: [OperationFlags]
  let run: @Sendable (LifeStage) -> Void
  /// The moment of each look, and why the flags are what they are.
  let looks: KeyValuePairs<String, String>
}

extension LifeProgram {
  static let alone = LifeProgram(
    name: "alone", prediction: LifecycleLog.alone, run: { $0.alone() },
    looks: [
      "after its creation": "No dependency prevents its start, so it's ready from the beginning.",
      "in a suspended queue": """
      Adding it to a queue changes none of the four flags. It executes when the queue starts it, \
      and the queue is suspended.
      """,
      "in its block": """
      start() has marked it as executing and called its block. It's still ready, because no \
      dependency prevents its start.
      """,
      "in its completion block": """
      The completion block is called after the operation has finished, so it no longer executes. \
      It's still ready.
      """,
    ])

  static let behindAnother = LifeProgram(
    name: "behindAnother", prediction: LifecycleLog.behindAnother, run: { $0.behindAnother() },
    looks: [
      "when the dependency is added":
        "It depends on an operation that hasn't finished, so it isn't ready. No flag is true.",
      "in the other's block":
        "The other operation executes and hasn't finished, so job still isn't ready.",
      "in its block":
        "The other operation has finished, so job is ready, was started and executes.",
      "when both have finished": "It has finished, and no dependency prevents its start any more.",
    ])

  static let startedByHand = LifeProgram(
    name: "startedByHand", prediction: LifecycleLog.startedByHand, run: { $0.startedByHand() },
    looks: [
      "after its creation":
        "No dependency prevents its start, so it's ready, even without a queue.",
      "in its block": "start() marks an operation as executing, whether a queue calls it or not.",
      "after start()": "start() has called the block, and then marked the operation as finished.",
    ])

  static let mainByHand = LifeProgram(
    name: "mainByHand", prediction: LifecycleLog.mainByHand, run: { $0.mainByHand() },
    looks: [
      "in its block": """
      main() only calls the block. start() would set the flags, and it wasn't called: the \
      operation is ready as before.
      """,
      "after main()": """
      The block has run, and for Foundation the operation hasn't begun. Without start() it never \
      finishes, and its dependents wait for ever.
      """,
    ])

  static let cancelledInLine = LifeProgram(
    name: "cancelledInLine", prediction: LifecycleLog.cancelledInLine,
    run: { $0.cancelledInLine() },
    looks: [
      "when it was cancelled": """
      cancel() only sets isCancelled. The operation finishes when its queue starts it, and the \
      queue is suspended. It's still ready.
      """,
      "when its queue has run": """
      The queue has started it, and start() has seen that it's cancelled. Its block wasn't called, \
      so there is no look in it, and the operation has finished: otherwise its dependents would \
      wait for ever.
      """,
    ])

  static let cancelledBehindAnother = LifeProgram(
    name: "cancelledBehindAnother", prediction: LifecycleLog.cancelledBehindAnother,
    run: { $0.cancelledBehindAnother() },
    looks: [
      "in a suspended queue": "It depends on an operation that hasn't finished, so it isn't ready.",
      "when it was cancelled": """
      A cancelled operation ignores its dependencies. It's ready at once, so that its queue can \
      start and remove it; the other operation hasn't even begun.
      """,
      "when its queue has run":
        "It was started, and finished without its block. The other operation still hasn't begun.",
    ])

  static let cancelledAtWork = LifeProgram(
    name: "cancelledAtWork", prediction: LifecycleLog.cancelledAtWork,
    run: { $0.cancelledAtWork() },
    looks: [
      "in its block": "It was started, so it executes, and is still ready.",
      "in its block, when it was cancelled": """
      cancel() interrupts nothing: the operation executes as long as its block runs. Only \
      isCancelled has changed.
      """,
      "when it has ended": "It has finished, and isCancelled stays true.",
    ])

  static let cancelledTooLate = LifeProgram(
    name: "cancelledTooLate", prediction: LifecycleLog.cancelledTooLate,
    run: { $0.cancelledTooLate() },
    looks: [
      "in its block": "It was started, so it executes, and is still ready.",
      "when it was cancelled after its end": """
      cancel() has no effect on an operation that has finished: its work was done, so isCancelled \
      stays false.
      """,
    ])

  static let behindACancelledOne = LifeProgram(
    name: "behindACancelledOne", prediction: LifecycleLog.behindACancelledOne,
    run: { $0.behindACancelledOne() },
    looks: [
      "when the other was cancelled": """
      The other operation was cancelled, but it finishes only when its queue starts it, and the \
      queue is suspended. Until then job waits for it.
      """,
      "in its block": """
      The other operation has finished without executing, and that is all job waits for. job isn't \
      cancelled, so it's started like any other.
      """,
      "when it has ended":
        "It has finished and was never cancelled: a cancel affects one operation only.",
    ])
}

extension OperationFlags {
  /// The flags as text.
  var words: String {
    let names: [(OperationFlags, String)] = [
      (.ready, "ready"), (.executing, "executing"), (.finished, "finished"),
      (.cancelled, "cancelled"),
    ]
    let set = names.filter { contains($0.0) }.map(\.1)
    return set.isEmpty ? "(none)" : set.joined(separator: ", ")
  }
}
