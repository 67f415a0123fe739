extension Kata {
  static let lifecycleLog = Kata(
    "LifecycleLog", module: .operations,
    title: "What is an operation now? Nine short lives",
    difficulty: 1, minutes: 20, needs: ["TiltShiftOperation"],
    hints: [
      """
      Follow the operation through each program with four switches in front of you. Which line turns \
      one of them on, and which one turns it off again? Most lines touch none.
      """,
      """
      Ready is off only while a dependency hasn't finished, and nobody has cancelled the operation; it \
      stays on while it executes and when it has finished. Executing goes on and off inside start(), and \
      finished goes on at its end, whether there was work or not. Cancelled goes on in cancel(), unless \
      it has finished.
      """,
      """
      alone is [.ready], [.ready], [.ready, .executing], [.ready, .finished]. Whoever waits for another \
      one is []; cancelled there, it's [.ready, .cancelled] at once. When its queue runs, a cancelled \
      one becomes [.ready, .finished, .cancelled], and its block is never called.
      """,
    ],
    questions: [
      Question(
        "An operation was cancelled while it stood in line. Who finishes it?",
        answer: """
          Its queue, by starting it: `start()` sees that it is cancelled and finishes it without \
          calling `main()`. `cancel()` itself finishes nobody.
          """),
      Question(
        "Why is `isReady` still true while the operation executes, and when it has finished?",
        answer: """
          It says only that nothing stands in the way of a start. The four flags are four \
          questions; they aren't the cases of one state.
          """),
      Question(
        "B depends on A, and A is cancelled. What becomes of B?",
        answer: """
          It runs, once A has left its queue: a dependency asks for *finished*, and a cancelled \
          operation finishes too. Whether A has anything to offer, B has to ask.
          """),
    ],
    mistakes: readyMistakes + executingMistakes + cancelledMistakes + dependentMistakes
      + unfinishedLives + bitMistakes,
    rightAnswers: [
      RightAnswer("each look as a word", .file("Letters.swift")),
      RightAnswer("a rehearsal", .file("Rehearsal.swift")),
    ],
    unproven: [
      Unproven("through nine short lives", "says what there is"),
      Unproven("Each life is a small program.", "says what there is"),
      Unproven("an operation queue with nothing else to do", "says what `queue` is"),
    ])

  // MARK: - Mistakes

  /// What the reference says of each life.
  private static let lives = [
    "alone": "[.ready], [.ready], [.ready, .executing], [.ready, .finished]",
    "behindAnother": "[], [], [.ready, .executing], [.ready, .finished]",
    "startedByHand": "[.ready], [.ready, .executing], [.ready, .finished]",
    "mainByHand": "[.ready], [.ready]",
    "cancelledInLine": "[.ready, .cancelled], [.ready, .finished, .cancelled]",
    "cancelledBehindAnother": "[], [.ready, .cancelled], [.ready, .finished, .cancelled]",
    "cancelledAtWork":
      "[.ready, .executing], [.ready, .executing, .cancelled], [.ready, .finished, .cancelled]",
    "cancelledTooLate": "[.ready, .executing], [.ready, .finished]",
    "behindACancelledOne": "[], [.ready, .executing], [.ready, .finished]",
  ]

  /// What the documentation calls each life.
  private static let titles = [
    "alone": "An operation by itself",
    "behindAnother": "An operation that depends on another one.",
    "startedByHand": "An operation that is started without a queue.",
    "mainByHand": "An operation whose `main()` is called",
    "cancelledInLine": "cancelled before its queue has started it",
    "cancelledBehindAnother": "cancelled while it waits for another one",
    "cancelledAtWork": "cancelled while it works",
    "cancelledTooLate": "cancelled when it has finished",
    "behindACancelledOne": "An operation that depends on one that is cancelled.",
  ]

  private static let ready = "Nothing stands in its way: `isReady`."
  private static let executing = "It has begun, and hasn't ended: `isExecuting`."
  private static let finished = "It has ended: `isFinished`."
  private static let cancelled = "Somebody has asked it to stop: `isCancelled`."

  /// A life that is thought to be another one.
  ///
  /// What it breaks, beside the life itself, is what a flag means.
  private static func life(
    _ mistake: String, _ name: String, _ wrong: String, breaks: [String] = [], advice: String
  ) -> Mistake {
    Mistake(
      mistake,
      .edit(
        "\(name): Life = [\n    \(lives[name] ?? ""),\n  ]", "\(name): Life = [\n    \(wrong)\n  ]"),
      breaks: [titles[name] ?? ""] + breaks, rejectedBy: ["\(name) lives as predicted"],
      advice: advice)
  }

  private static let readyMistakes = [
    life(
      "ready goes off when it executes", "alone", "[.ready], [.ready], [.executing], [.finished]",
      breaks: [ready],
      advice: """
        The flags aren't states that take turns: ready says that nothing stands in the way, and goes on \
        being true.
        """),
    life(
      "ready goes off when it has finished", "startedByHand",
      "[.ready], [.ready, .executing], [.finished]",
      breaks: [ready],
      advice: "Nothing stands in the way of what is over, either: ready stays."),
    life(
      "ready comes with the queue", "alone",
      "[], [.ready], [.ready, .executing], [.ready, .finished]",
      breaks: [ready],
      advice: "Ready depends on dependencies alone, and there are none: it's true from the start."),
    life(
      "a suspended queue makes it wait", "alone",
      "[.ready], [], [.ready, .executing], [.ready, .finished]",
      breaks: [ready],
      advice: "The queue is what waits; the operation could begin, and says so."),
    life(
      "ready while it waits for another", "behindAnother",
      "[.ready], [.ready], [.ready, .executing], [.ready, .finished]",
      breaks: [ready],
      advice: "A dependency that hasn't finished stands in its way: it isn't ready."),
    life(
      "ready as soon as the other begins", "behindAnother",
      "[], [.ready], [.ready, .executing], [.ready, .finished]",
      breaks: [ready],
      advice: "A dependent waits for the end of the other, not for its beginning."),
  ]

  private static let executingMistakes = [
    life(
      "executing as soon as it's in the queue", "alone",
      "[.ready], [.ready, .executing], [.ready, .executing], [.ready, .finished]",
      breaks: [executing],
      advice: "To be in line isn't to have begun: executing begins when the queue calls start()."),
    life(
      "executing until the completion block has ended", "alone",
      "[.ready], [.ready], [.ready, .executing], [.ready, .executing]",
      breaks: [executing, finished],
      advice: "The completion block comes after the end: it has finished by then."),
    life(
      "nothing without a queue", "startedByHand", "[.ready], [.ready], [.ready]",
      breaks: [executing, finished],
      advice: "The flags are kept by start(), and a queue does no more than call it."),
    life(
      "main sees to the flags", "mainByHand", "[.ready, .executing], [.ready, .finished]",
      breaks: [executing],
      advice: "main() is the work and nothing else: call start(), or the operation never finishes."),
  ]

  private static let cancelledMistakes = [
    life(
      "cancelled means not finished", "cancelledInLine",
      "[.ready, .cancelled], [.ready, .cancelled]",
      breaks: [finished],
      advice: """
        Who depends on it, and who waits for the queue, would wait for ever: a cancelled operation \
        finishes when its queue starts it.
        """),
    life(
      "cancelled means finished at once", "cancelledInLine",
      "[.ready, .finished, .cancelled], [.ready, .finished, .cancelled]",
      breaks: [finished],
      advice:
        "cancel() leaves a message; it finishes when its queue starts it, and sees the message."),
    life(
      "cancelled means not ready", "cancelledInLine", "[.cancelled], [.finished, .cancelled]",
      breaks: [ready],
      advice: "It has to be started in order to leave, so it's ready."),
    life(
      "its block is called all the same", "cancelledInLine",
      "[.ready, .cancelled], [.ready, .executing, .cancelled], [.ready, .finished, .cancelled]",
      breaks: ["counts when the block is called, if it's called at all"],
      advice: "start() looks before it calls the block: what was cancelled before never works."),
    life(
      "cancelled, it still waits for the other", "cancelledBehindAnother",
      "[], [.cancelled], [.ready, .finished, .cancelled]",
      advice: "Whoever is cancelled needs nothing from anybody: it's ready at once, to be let go."),
    life(
      "never leaves without the other", "cancelledBehindAnother",
      "[], [.cancelled], [.cancelled]",
      advice: "The other never finishes, and needn't: a cancelled operation waits for nobody."),
    life(
      "cancel stops the work", "cancelledAtWork",
      "[.ready, .executing], [.ready, .finished, .cancelled], [.ready, .finished, .cancelled]",
      advice: "Nothing can stop a block from outside: it executes until it returns."),
    life(
      "executing or cancelled, not both", "cancelledAtWork",
      "[.ready, .executing], [.ready, .cancelled], [.ready, .finished, .cancelled]",
      breaks: [cancelled, "What's true of an operation at one moment"],
      advice: "Cancelled is a message beside the others, not a state in their place."),
    life(
      "what has ended isn't cancelled any more", "cancelledAtWork",
      "[.ready, .executing], [.ready, .executing, .cancelled], [.ready, .finished]",
      breaks: [cancelled],
      advice: "The message stays, so that the completion block can tell why there is no result."),
    life(
      "cancelled after the end", "cancelledTooLate",
      "[.ready, .executing], [.ready, .finished, .cancelled]",
      advice: "What has finished can't be called off any more: cancel() does nothing to it."),
  ]

  private static let dependentMistakes = [
    life(
      "ready as soon as the other is cancelled", "behindACancelledOne",
      "[.ready], [.ready, .executing], [.ready, .finished]",
      advice:
        "The other has to leave its line first: a dependent waits for finished, not cancelled."),
    life(
      "a cancel is passed on", "behindACancelledOne",
      "[.cancelled], [.ready, .executing, .cancelled], [.ready, .finished, .cancelled]",
      breaks: [cancelled],
      advice:
        "cancel() concerns one operation: its dependents run, and may find nothing to work on."),
    life(
      "never runs", "behindACancelledOne", "[], []",
      advice: """
        A cancelled operation finishes too, and that's all its dependents wait for: job runs, and has \
        three looks.
        """),
  ]

  private static let unfinishedLives = [
    life(
      "leaves out looks at nothing", "behindAnother", "[.ready, .executing], [.ready, .finished]",
      breaks: ["So a life is a list of sets, one for each look"],
      advice: "Where none of the flags is true there's a look too: write [] for it."),
    life(
      "leaves out the look in the block", "cancelledTooLate", "[.ready, .finished]",
      breaks: ["a block's `look()` counts", "What a life looks like: the flags at each look."],
      advice: "The block is called before the operation ends, and looks as well."),
  ]

  // MARK: - The flags

  private static let bitMistakes = [
    Mistake(
      "one bit for two",
      .edits([
        Edit("finished = OperationFlags(rawValue: 4)", "finished = OperationFlags(rawValue: 3)"),
        Edit("cancelled = OperationFlags(rawValue: 8)", "cancelled = OperationFlags(rawValue: 4)"),
      ]),
      breaks: ["The flags as bits."], rejectedBy: ["each flag has a bit of its own"],
      advice: "3 is 1 and 2 together: each flag needs a power of two."),
    Mistake(
      "room for three",
      .edit("    self.rawValue = rawValue\n", "    self.rawValue = rawValue & 7\n"),
      breaks: ["Creates a set of flags from its bits."],
      rejectedBy: ["each flag has a bit of its own"],
      advice: "There are four flags, and the fourth is 8: keep all bits."),
  ]
}
