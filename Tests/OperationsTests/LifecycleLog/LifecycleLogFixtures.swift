/// A life, what the answer says of it, and why it's as it is.
struct LifeProgram: Sendable {
  /// The prediction's name in `LifecycleLog`.
  let name: String
  let prediction: [OperationFlags]
  let run: @Sendable (LifeStage) -> Void
  /// When each look is taken, and why the flags are what they are.
  let looks: KeyValuePairs<String, String>
}

extension LifeProgram {
  static let alone = LifeProgram(
    name: "alone", prediction: LifecycleLog.alone, run: { $0.alone() },
    looks: [
      "when it's made":
        "Nothing stands in its way: it's ready from the start, in no queue and not begun.",
      "in the line of a suspended queue": """
      To be added to a queue changes none of the four. Executing begins when the queue starts it, and \
      the queue is suspended.
      """,
      "in its block": """
      start() has marked it as executing and called its block. It's still ready: that says only that \
      nothing stands in its way, and goes on being true.
      """,
      "in its completion block": """
      The completion block is called when the operation has finished: executing is over, and ready is \
      what it was.
      """,
    ])

  static let behindAnother = LifeProgram(
    name: "behindAnother", prediction: LifecycleLog.behindAnother, run: { $0.behindAnother() },
    looks: [
      "when the dependency is added":
        "It depends on an operation that hasn't finished, so it isn't ready, and nothing else is true.",
      "in the other's block":
        "The other is at work, and hasn't finished: job goes on waiting, and isn't ready.",
      "in its block":
        "The other has finished, so job became ready, and was started: it executes, and is ready still.",
      "when both have finished": "It has finished, and nothing stands in its way any more.",
    ])

  static let startedByHand = LifeProgram(
    name: "startedByHand", prediction: LifecycleLog.startedByHand, run: { $0.startedByHand() },
    looks: [
      "when it's made": "Nothing stands in its way: it's ready without a queue too.",
      "in its block":
        "start() marks an operation as executing, whoever calls it. A queue does nothing else.",
      "after start()":
        "start() has called the block, and marked the operation as finished when it returned.",
    ])

  static let mainByHand = LifeProgram(
    name: "mainByHand", prediction: LifecycleLog.mainByHand, run: { $0.mainByHand() },
    looks: [
      "in its block": """
      main() calls the block, and that's all. The flags are start()'s affair, which nobody has called: \
      the operation is as ready as before.
      """,
      "after main()": """
      The work is done, and the operation hasn't begun: without start() it never finishes, and whoever \
      depends on it waits.
      """,
    ])

  static let cancelledInLine = LifeProgram(
    name: "cancelledInLine", prediction: LifecycleLog.cancelledInLine,
    run: { $0.cancelledInLine() },
    looks: [
      "when it was cancelled": """
      cancel() leaves a message, and it's still in line. It hasn't finished: for that its queue has to \
      start it, and the queue is suspended. It's as ready as before.
      """,
      "when its queue has run": """
      The queue has started it, and start() has seen the message: its block wasn't called, so there is \
      no look in it, and the operation has finished. Cancelled operations finish too, or whoever \
      depends on them would wait for ever.
      """,
    ])

  static let cancelledBehindAnother = LifeProgram(
    name: "cancelledBehindAnother", prediction: LifecycleLog.cancelledBehindAnother,
    run: { $0.cancelledBehindAnother() },
    looks: [
      "in line": "It depends on an operation that hasn't finished, so it isn't ready.",
      "when it was cancelled": """
      Whoever is cancelled waits for nobody: it's ready at once, so that its queue can start it and let \
      it go. The other one hasn't even begun.
      """,
      "when its queue has run":
        "It was started, and left without a call of its block. The other one still hasn't begun.",
    ])

  static let cancelledAtWork = LifeProgram(
    name: "cancelledAtWork", prediction: LifecycleLog.cancelledAtWork,
    run: { $0.cancelledAtWork() },
    looks: [
      "in its block": "It was started, so it's executing, and ready still.",
      "in its block, when it was cancelled": """
      cancel() stops nothing: the block goes on, and as long as it does the operation executes. It's \
      only that everybody can see the message.
      """,
      "when it has ended":
        "It has finished, like any other, and still says that somebody had cancelled it.",
    ])

  static let cancelledTooLate = LifeProgram(
    name: "cancelledTooLate", prediction: LifecycleLog.cancelledTooLate,
    run: { $0.cancelledTooLate() },
    looks: [
      "in its block": "It was started, so it's executing, and ready still.",
      "when it was cancelled after its end": """
      cancel() does nothing to an operation that has finished: whoever asks afterwards isn't told that \
      its work was called off, since it wasn't.
      """,
    ])

  static let behindACancelledOne = LifeProgram(
    name: "behindACancelledOne", prediction: LifecycleLog.behindACancelledOne,
    run: { $0.behindACancelledOne() },
    looks: [
      "when the other was cancelled": """
      The other hasn't finished yet: cancelled or not, it has to leave its line first, and the queue is \
      suspended. Until then job waits for it.
      """,
      "in its block": """
      The other has left, without having worked, and that is as good as finished. Nobody has told job \
      anything, so it's started like any other.
      """,
      "when it has ended":
        "It has finished, and was never cancelled: a cancel concerns one operation, not its dependents.",
    ])
}

extension OperationFlags {
  /// The flags in words.
  var words: String {
    let names: [(OperationFlags, String)] = [
      (.ready, "ready"), (.executing, "executing"), (.finished, "finished"),
      (.cancelled, "cancelled"),
    ]
    let set = names.filter { contains($0.0) }.map(\.1)
    return set.isEmpty ? "(none)" : set.joined(separator: ", ")
  }
}
