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
    ],
    unproven: [
      Unproven("What books call a *thread barrier*.", "what it's called elsewhere"),
      Unproven("It must not arrive itself.", "asks something of the caller"),
      Unproven("`parties` is one or more.", "asks something of the caller"),
    ],
    equivalents: [
      Equivalent("made twice: waitUntilTurned(round)", "It has turned."),
      Equivalent(
        "the first statement before the section: condition.withLock { … (3)",
        "Nobody comes in while it turns."),
      Equivalent(
        "split before isTurning = false: condition.withLock { …", "Nobody comes in while it turns."),
      Equivalent("swapped with the next: arrived = 0", "All is done under the lock."),
      Equivalent("swapped with the next: isTurning = false", "All is done under the lock."),
      Equivalent("swapped with the next: turned = round", "All is done under the lock."),
    ],
    elusive: [
      Elusive(
        "the last statement behind the section: condition.withLock { …",
        "The last may come between the two, and two think they are last."),
      Elusive(
        "split before turned = round: condition.withLock { …",
        "Whoever comes between the two counts for the round that has turned."),
    ])

  // MARK: - Mistakes

  private static let allHaveCome = "nobody goes on before all have come"
  private static let closes = "it closes behind every round"
  private static let turns = "onTurn is called when all have come and before anybody goes on"
  private static let late = "whoever comes while a round turns belongs to the next"
  private static let three = "three who come while a round of two turns make one round, and wait"
  private static let slow = "whoever is slow to wake up goes on with its own round"
  private static let holdOff = "      while isTurning { condition.wait() }\n"
  private static let lastTurns = """
          onTurn(round)
          goOn(after: round)

    """

  private static let turnstileMistakes = [
    Mistake(
      "one too few", .edit("isTurning = arrived == parties", "isTurning = arrived >= parties - 1"),
      breaks: [
        "those who arrive are held until there are ``parties`` of them",
        "where threads wait for each other until enough have come", "Waits until the round is full",
      ],
      rejectedBy: [allHaveCome],
      advice:
        "The last one counts as well: a round is full when as many have come as there are parties."
    ),
    Mistake(
      "looks before it counts",
      .edit(
        "      arrived += 1\n      isTurning = arrived == parties\n",
        "      isTurning = arrived == parties\n      arrived += 1\n"),
      breaks: [
        "those who arrive are held until there are ``parties`` of them",
        "Waits until the round is full",
      ],
      rejectedBy: [allHaveCome, "where one is enough nobody waits"], verdict: .hung,
      advice: "Who comes last must count itself before it looks, or everybody waits for one more."),
    Mistake(
      "wakes one", .edit("condition.broadcast()", "condition.signal()"),
      breaks: [
        "those who arrive are held until there are ``parties`` of them",
        "then goes on together with the others",
      ],
      rejectedBy: [allHaveCome], verdict: .hung,
      advice: "All who wait may go on, and signal wakes one of them: use broadcast."),
    Mistake(
      "for a single use", .file("SingleUse.swift"),
      breaks: ["it's closed again for the next round", "round after round"],
      rejectedBy: [closes, late],
      advice: """
        Once open it stays open, and in the second round nobody waits for anybody: who waits must wait \
        for a round of its own.
        """),
    Mistake(
      "the count doesn't begin anew", .edit("      arrived = 0\n", ""),
      breaks: [
        "those who arrive are held until there are ``parties`` of them", "round after round",
      ],
      rejectedBy: ["where one is enough nobody waits", closes], verdict: .hung,
      advice: "The next round begins at zero, or it is never full."),
    Mistake(
      "the count is reset too early", .file("ResetTooEarly.swift"),
      breaks: ["who comes too late for one belongs to the next", "Waits until the round is full"],
      rejectedBy: [late],
      advice: """
        By the time that a thread wakes up a quick one may have arrived again, and the count isn't zero \
        any more: wait for the number of the round, not for a count.
        """),
    Mistake(
      "the count is reset too late", .file("ResetTooLate.swift"),
      breaks: [
        "who comes too late for one belongs to the next",
        "and longer, where a round is just turning, until that is over",
      ],
      rejectedBy: [late],
      advice: """
        Until the last has left, the count is still full, and a quick thread that arrives again walks \
        straight through: it laps the others.
        """),
    Mistake(
      "two phases without a door", .file("TwoPhases.swift"),
      breaks: ["who comes too late for one belongs to the next"],
      rejectedBy: [late],
      advice: """
        Two gates keep rounds apart as long as nobody else arrives; with more threads than parties, \
        something has to hold back who is too many, before they are counted.
        """),
    Mistake(
      "onTurn after they have gone on",
      .edit(lastTurns, "      goOn(after: round)\n      onTurn(round)\n"),
      breaks: [
        "when all have come and before anybody goes on, whoever came last calls `onTurn`",
        "Called once in each round, with its number from 1",
      ],
      rejectedBy: [turns],
      advice: """
        What onTurn prepares is what they go on with: call it while they all still wait.
        """),
    Mistake(
      "everybody calls onTurn",
      .edit(
        "      waitUntilTurned(round)\n", "      waitUntilTurned(round)\n      onTurn(round)\n"),
      breaks: [
        "Called once in each round, with its number from 1",
        "when all have come and before anybody goes on, whoever came last calls `onTurn`",
      ],
      rejectedBy: [turns],
      advice: "Once a round, not once a thread: whoever comes last calls it, for all."),
    Mistake(
      "the first one calls onTurn",
      .edits([
        Edit(lastTurns, "      goOn(after: round)\n"),
        Edit(
          "      waitUntilTurned(round)\n", "      onTurn(round)\n      waitUntilTurned(round)\n"),
      ]),
      breaks: [
        "when all have come and before anybody goes on, whoever came last calls `onTurn`",
        "Called once in each round, with its number from 1",
      ],
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
      breaks: ["on the thread of whoever came last", "whoever came last calls `onTurn`"],
      rejectedBy: [turns],
      advice: "A thread waits for another one that does what it could: call onTurn where you are."),
    Mistake(
      "calls onTurn with the lock held",
      .edit(lastTurns, "      condition.withLock { onTurn(round) }\n      goOn(after: round)\n"),
      breaks: ["`rounds` may be asked for at any time", "Returns at once, also within `onTurn`"],
      rejectedBy: ["rounds may be asked for at any time"], verdict: .hung,
      advice: """
        Whoever asks for rounds meanwhile waits for the lock, and if onTurn does, for ever: decide under \
        the lock, and call out without it.
        """),
    Mistake(
      "comes in while it turns", .edit(holdOff, ""),
      breaks: [
        "who comes too late for one belongs to the next",
        "and longer, where a round is just turning, until that is over",
      ],
      rejectedBy: [late, three],
      advice: """
        The round is full, and its turn isn't over: who comes in now is one too many in it; hold them \
        off until it has turned.
        """),
    Mistake(
      "whoever is woken comes in",
      .edit(holdOff, "      if isTurning { condition.wait() }\n"),
      breaks: [
        "and longer, where a round is just turning, until that is over",
        "those who arrive are held until there are ``parties`` of them",
      ],
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
      breaks: ["who comes too late for one belongs to the next"],
      rejectedBy: [late],
      advice: """
        Two threads that count at once count one, and who counts while a round turns is forgotten when \
        the count begins anew: count under the lock, when you have come in.
        """),
    Mistake(
      "rounds reads past the lock",
      .edit("condition.withLock { turned }", "turned"),
      breaks: ["`rounds` may be asked for at any time"],
      rejectedBy: ["threads needn't know of each other"], verdict: .race,
      advice: "One word is no exception: another thread writes it, so read it under the same lock."),
    Mistake(
      "asks for the round when it wakes up",
      .edit(
        "      waitUntilTurned(round)\n    }\n",
        "      waitUntilTurned(round)\n      return rounds\n    }\n"),
      breaks: ["the same for all who go on together"],
      rejectedBy: [slow],
      advice: """
        Between the turn and the waking another round may have turned, and its number isn't yours: \
        remember the number where you come in.
        """),
    Mistake(
      "a flag for the number of the round",
      .edit(
        "while turned < round {", "while turned.isMultiple(of: 2) != round.isMultiple(of: 2) {"),
      breaks: ["Waits until the round is full"],
      rejectedBy: [slow],
      advice: """
        A flag that each round turns over is back where it was after two, and who was slow waits on: \
        wait for a number, which only grows.
        """),
    Mistake(
      "a short cut where one is enough",
      .edit(
        "    let (round, isLast) = comeIn()\n",
        """
            if parties == 1 {
              let round = condition.withLock {
                turned += 1
                return turned
              }
              onTurn(round)
              return round
            }
            let (round, isLast) = comeIn()

        """),
      breaks: [
        "one call at a time, in the order of the rounds", "1, 2, 3 and so on, one call at a time",
        "and longer, where a round is just turning, until that is over",
      ],
      rejectedBy: ["where one is enough, turns still come one after the other"],
      advice: """
        Nobody has to wait for another one to come, and yet for the turn that is under way: let a round \
        of one go through the same door.
        """),
    Mistake(
      "parties says for how many the first one waits",
      .edits([
        Edit("    self.parties = parties\n", "    self.parties = parties - 1\n"),
        Edit("isTurning = arrived == parties", "isTurning = arrived > parties"),
      ]),
      breaks: [
        "How many make a round.", "parties: How many make a round.",
        "Creates a turnstile that lets",
      ],
      rejectedBy: [allHaveCome],
      advice:
        "Whoever comes last is one of those who make a round: keep the number as it was given."
    ),
    Mistake(
      "wakes as many as go on",
      .edit(
        "      condition.broadcast()\n", "      for _ in 1..<parties { condition.signal() }\n"),
      breaks: [
        "those who arrive are held until there are ``parties`` of them",
        "then goes on together with the others",
      ],
      rejectedBy: [late],
      advice: """
        Those who were held off wait for the same condition, and a signal wakes anybody: use broadcast, \
        and let everybody look.
        """),
    Mistake(
      "onTurn is told how many have turned",
      .edit("      onTurn(round)\n", "      onTurn(rounds)\n"),
      breaks: [
        "with the number of the round: 1, 2, 3 and so on",
        "Called once in each round, with its number from 1",
      ],
      rejectedBy: [turns, "where one is enough nobody waits"],
      advice: """
        The round that turns doesn't count yet, so that's one less than its number: give onTurn the \
        number that arrive returns.
        """),
    Mistake(
      "rounds counts the one that turns",
      .edit(
        "condition.withLock { turned }", "condition.withLock { isTurning ? turned + 1 : turned }"),
      breaks: ["How many rounds have turned.", "where the round that turns doesn't count yet"],
      rejectedBy: ["rounds may be asked for at any time"],
      advice: "A round has turned when onTurn has returned; count it then."),
    Mistake(
      "a round of one counts before it turns",
      .edit(
        "    if isLast {\n      onTurn(round)\n",
        """
            if isLast {
              if parties == 1 { condition.withLock { turned = round } }
              onTurn(round)

        """),
      breaks: ["where the round that turns doesn't count yet"],
      rejectedBy: ["rounds may be asked for at any time"],
      advice: """
        Nobody has to be woken where one is enough, and yet the round counts when onTurn has returned: \
        whoever asks meanwhile would take it for over.
        """),
  ]
}
