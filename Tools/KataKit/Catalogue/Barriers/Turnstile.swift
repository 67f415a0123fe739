extension Kata {
  static let turnstile = Kata(
    "Turnstile", module: .barriers,
    title: "Threads that wait for each other, round after round",
    difficulty: 3, minutes: 30, needs: ["BoundedBuffer"],
    hints: [
      """
      One round is easy: count, and whoever makes the count full wakes the others. Now one of them is \
      slow to wake up, and another one is so quick that it arrives for the next round before that. What \
      does the slow one see, when it looks at the count?
      """,
      """
      Give rounds a number. Who arrives remembers the number of the round that is filling, and waits \
      until that one has turned; this can't become untrue again. And while onTurn runs, the round is \
      full but hasn't turned: whoever comes then has to wait in front of it, in a loop of its own.
      """,
      """
      Guarded by a condition: arrived, turned, isTurning. arrive: lock; while isTurning { wait }; let \
      round = turned + 1; arrived += 1; if arrived < parties, then while turned < round { wait }, unlock \
      and return round. Otherwise isTurning = true; unlock; onTurn(round); lock; arrived = 0; isTurning \
      = false; turned = round; broadcast; unlock; return round.
      """,
    ],
    questions: [
      Question(
        "Why do those who wait look at the number of the round, and not at the count?",
        answer: """
          When a woken thread gets to run, the count may have been reset, or have begun to fill \
          with the next round. The number only grows, so it still tells whether this round has \
          turned.
          """),
      Question(
        """
        A fast thread comes round again while the round is still turning. What keeps it from being \
        counted twice?
        """,
        answer: """
          `isTurning`: whoever comes then waits until the round is over, and only then counts as \
          one of the next.
          """),
      Question(
        "Four parties arrive from blocks on a pool with three threads. What happens?",
        answer: """
          Three hold their threads and wait for a fourth, which has none to arrive on. Work that \
          waits for other work needs a thread for each.
          """),
    ],
    mistakes: turnstileMistakes,
    rightAnswers: [
      RightAnswer("tickets", .file("Tickets.swift")),
      RightAnswer("a door and a gate of semaphores", .file("DoorAndGate.swift")),
      RightAnswer("an object for each round", .file("ObjectPerRound.swift")),
    ])

  // MARK: - Mistakes

  private static let allHaveCome = "nobody goes on before all have come"
  private static let closes = "it closes behind every round"
  private static let turns = "onTurn is called when all have come and before anybody goes on"
  private static let late = "whoever comes while a round turns belongs to the next"
  private static let three = "three who come while a round of two turns make one round, and wait"
  private static let holdOff = "      while isTurning { condition.wait() }\n"
  private static let lastTurns = """
          onTurn(round)
          goOn(after: round)

    """

  private static let turnstileMistakes = [
    Mistake(
      "one too few", .edit("isTurning = arrived == parties", "isTurning = arrived >= parties - 1"),
      rejectedBy: [allHaveCome],
      advice:
        "The last one counts as well: a round is full when as many have come as there are parties."
    ),
    Mistake(
      "looks before it counts",
      .edit(
        "      arrived += 1\n      isTurning = arrived == parties\n",
        "      isTurning = arrived == parties\n      arrived += 1\n"),
      rejectedBy: [allHaveCome, "where one is enough nobody waits"], verdict: .hung,
      advice: "Who comes last must count itself before it looks, or everybody waits for one more."),
    Mistake(
      "wakes one", .edit("condition.broadcast()", "condition.signal()"),
      rejectedBy: [allHaveCome], verdict: .hung,
      advice: "All who wait may go on, and signal wakes one of them: use broadcast."),
    Mistake(
      "for a single use", .file("SingleUse.swift"),
      rejectedBy: [closes, late],
      advice: """
        Once open it stays open, and in the second round nobody waits for anybody: who waits must wait \
        for a round of its own.
        """),
    Mistake(
      "the count doesn't begin anew", .edit("      arrived = 0\n", ""),
      rejectedBy: ["where one is enough nobody waits", closes], verdict: .hung,
      advice: "The next round begins at zero, or it is never full."),
    Mistake(
      "the count is reset too early", .file("ResetTooEarly.swift"),
      rejectedBy: [late],
      advice: """
        By the time that a thread wakes up a quick one may have arrived again, and the count isn't zero \
        any more: wait for the number of the round, not for a count.
        """),
    Mistake(
      "the count is reset too late", .file("ResetTooLate.swift"),
      rejectedBy: [late],
      advice: """
        Until the last has left, the count is still full, and a quick thread that arrives again walks \
        straight through: it laps the others.
        """),
    Mistake(
      "two phases without a door", .file("TwoPhases.swift"),
      rejectedBy: [late],
      advice: """
        Two gates keep rounds apart as long as nobody else arrives; with more threads than parties, \
        something has to hold back who is too many, before they are counted.
        """),
    Mistake(
      "onTurn after they have gone on",
      .edit(lastTurns, "      goOn(after: round)\n      onTurn(round)\n"),
      rejectedBy: [turns],
      advice: """
        What onTurn prepares is what they go on with: call it while they all still wait.
        """),
    Mistake(
      "everybody calls onTurn",
      .edit(
        "      waitUntilTurned(round)\n", "      waitUntilTurned(round)\n      onTurn(round)\n"),
      rejectedBy: [turns],
      advice: "Once a round, not once a thread: whoever comes last calls it, for all."),
    Mistake(
      "the first one calls onTurn",
      .edits([
        Edit(lastTurns, "      goOn(after: round)\n"),
        Edit(
          "      waitUntilTurned(round)\n", "      onTurn(round)\n      waitUntilTurned(round)\n"),
      ]),
      rejectedBy: [turns, "where one is enough nobody waits"],
      advice:
        "Who comes first doesn't know when the others will: onTurn is for the last one to call."),
    Mistake(
      "onTurn on another thread",
      .edit(
        lastTurns,
        """
              let hasTurned = DispatchSemaphore(value: 0)
              Thread.detachNewThread { [onTurn] in
                onTurn(round)
                hasTurned.signal()
              }
              hasTurned.wait()
              goOn(after: round)

        """),
      rejectedBy: [turns],
      advice: "A thread waits for another one that does what it could: call onTurn where you are."),
    Mistake(
      "calls onTurn with the lock held",
      .edit(lastTurns, "      condition.withLock { onTurn(round) }\n      goOn(after: round)\n"),
      rejectedBy: ["rounds may be asked for at any time"], verdict: .hung,
      advice: """
        Whoever asks for rounds meanwhile waits for the lock, and if onTurn does, for ever: decide under \
        the lock, and call out without it.
        """),
    Mistake(
      "comes in while it turns", .edit(holdOff, ""),
      rejectedBy: [late, three],
      advice: """
        The round is full, and its turn isn't over: who comes in now is one too many in it; hold them \
        off until it has turned.
        """),
    Mistake(
      "whoever is woken comes in",
      .edit(holdOff, "      if isTurning { condition.wait() }\n"),
      rejectedBy: [three],
      advice: """
        Three were held off and are woken together; two fill the next round, and the third must look \
        again: wait in a loop.
        """),
    Mistake(
      "counts before it locks",
      .edits([
        Edit(
          "    condition.withLock {\n      // Whoever comes",
          "    arrived += 1\n    return condition.withLock {\n      // Whoever comes"),
        Edit("      arrived += 1\n      isTurning", "      isTurning"),
      ]),
      rejectedBy: [late],
      advice: """
        Two threads that count at once count one, and who counts while a round turns is forgotten when \
        the count begins anew: count under the lock, when you have come in.
        """),
    Mistake(
      "rounds reads past the lock",
      .edit("condition.withLock { turned }", "turned"),
      rejectedBy: ["threads needn't know of each other"], verdict: .race,
      advice: "One word is no exception: another thread writes it, so read it under the same lock."),
  ]
}
