extension Kata {
  static let patientWait = Kata(
    "PatientWait", module: .groupsSemaphores,
    title: "Wait for jobs, but no longer than so many seconds",
    difficulty: 2, minutes: 20, needs: ["AllDone"],
    hints: [
      """
      What counts the jobs can also be waited for, and every wait of Dispatch's may have a timeout: a \
      moment, not a length. How many such moments does one wait need for a hundred jobs?
      """,
      """
      Let the jobs join a DispatchGroup. group.wait(timeout:) blocks until the group is empty or until \
      the moment given, and tells which; where it is empty it says success, however late it is. The \
      moment is what deadline tells for the seconds, asked once.
      """,
      """
      private let group = DispatchGroup(). run: queue.async(group: group, execute: job). wait: switch \
      group.wait(timeout: deadline(seconds)) { case .success: return .finished; case .timedOut: \
      return .timedOut }.
      """,
    ],
    questions: [
      Question(
        """
        A loop waits for ten jobs, "five seconds each". How long may it take, and what makes it \
        five again?
        """,
        answer: """
          Fifty seconds. Compute one deadline before the loop, since a `DispatchTime` is a moment \
          and not a length, and let every wait end there; or wait once for a group of all.
          """),
      Question(
        "The wait has timed out. What has happened to the jobs?",
        answer: """
          Nothing. They run to their end, those in line begin when their turn comes, and the group \
          still holds them for the next wait. To stop waiting isn't to cancel.
          """),
      Question(
        "All jobs are done and the deadline is long past. Why is the answer `.finished`?",
        answer: """
          The group looks at its count before the clock, and an empty group is done however late \
          it is. That is also how zero seconds asks without waiting.
          """),
    ],
    mistakes: patientWaitMistakes,
    rightAnswers: [
      RightAnswer("a condition and a counter", .file("ConditionAndCounter.swift")),
      RightAnswer("a group for each job, one deadline", .file("GroupPerJob.swift")),
    ])

  // MARK: - Mistakes

  private static let submit = "queue.async(group: group, execute: job)"
  private static let ask = "switch group.wait(timeout: deadline(seconds)) {"
  private static let success = "    case .success: return .finished\n"
  private static let timeout = "    case .timedOut: return .timedOut\n"
  private static let group = "  private let group = DispatchGroup()\n"
  private static let otherGroups = """
      // Safe: it isn't, but that is another mistake.
      private nonisolated(unsafe) var group = DispatchGroup()

    """

  private static let patientWaitMistakes = [
    Mistake(
      "the wrong queue", .edit("queue.async(group:", "DispatchQueue.global().async(group:"),
      rejectedBy: ["a job runs once, on its queue"],
      advice: "Each job names its queue; a group takes jobs on any."),
    Mistake(
      "run waits for the job", .edit(submit, "queue.sync(execute: job)"),
      rejectedBy: ["run returns while the queue is busy"], verdict: .hung,
      advice: "sync waits until the job has returned; only wait may wait, so submit with async."),
    Mistake(
      "the jobs don't join the group", .edit(submit, "queue.async(execute: job)"),
      rejectedBy: [
        "wait lasts until the last job is done", "wait gives up when the time is over",
      ],
      advice:
        "A group knows only what joins it, so an empty one is done: submit with async(group:)."),
    Mistake(
      "counts a job when it begins",
      .edit(
        submit,
        """
        queue.async { [group] in
              group.enter()
              job()
              group.leave()
            }
        """),
      rejectedBy: ["a job that waits in its queue counts"],
      advice: """
        In the job's own block enter comes too late: until its queue gets to it, the job doesn't \
        count. Call enter before async.
        """),
    Mistake(
      "waits for the last job only",
      .edits([
        Edit(group, otherGroups), Edit(submit, "group = DispatchGroup()\n    \(submit)"),
      ]),
      rejectedBy: ["wait lasts until the last job is done"],
      advice: "The job that was run last needn't be the one that ends last; wait for all of them."),
    Mistake(
      "waits for ever",
      .edit("\(ask)\n\(success)\(timeout)    }\n", "group.wait()\n    return .finished\n"),
      rejectedBy: ["wait gives up when the time is over"], verdict: .hung,
      advice: "wait() has no end of its own; give it a timeout, and look at what it returns."),
    Mistake(
      "a deadline of its own", .edit("timeout: deadline(seconds)", "timeout: .now() + seconds"),
      rejectedBy: ["wait gives up when the time is over"], verdict: .hung,
      advice: """
        Who makes the wait may say what a second is: ask deadline, which is .now() + seconds unless \
        somebody gave another.
        """),
    Mistake(
      "milliseconds", .edit("timeout: deadline(seconds)", "timeout: deadline(seconds * 1000)"),
      rejectedBy: ["wait asks for the deadline of its own seconds, once"],
      advice: "seconds are seconds, here and in .now() + seconds; there is nothing to convert."),
    Mistake(
      "the time for each job", .file("TimePerJob.swift"),
      rejectedBy: ["the time is for all jobs together"], verdict: .hung,
      advice: """
        Waiting so long for each job adds up: a hundred jobs, a hundred times as long. Ask for one \
        deadline, and let all jobs share it.
        """),
    Mistake(
      "the time begins again for the next job", .file("TimeAgain.swift"),
      rejectedBy: ["the time is for all jobs together"], verdict: .hung,
      advice: """
        Each job that is done in time gives the next one all of the time again; ask for the deadline \
        once, before the loop.
        """),
    Mistake(
      "looks at the clock first",
      .edit(
        ask,
        """
        let end = deadline(seconds)
            guard end > .now() else { return .timedOut }
            switch group.wait(timeout: end) {
        """),
      rejectedBy: ["jobs that are done are finished, however late it is"],
      advice: """
        Look at the jobs first: what is done is done, and a group that is empty says success also \
        where the time is over.
        """),
    Mistake(
      "always finished", .edit(timeout, "    case .timedOut: return .finished\n"),
      rejectedBy: ["wait gives up when the time is over"],
      advice: "wait(timeout:) returns before the jobs are done, too; look at what it returns."),
    Mistake(
      "finished and timed out swapped",
      .edits([
        Edit(success, "    case .success: return .timedOut\n"),
        Edit(timeout, "    case .timedOut: return .finished\n"),
      ]),
      rejectedBy: ["wait lasts until the last job is done", "without jobs all is done"],
      advice: "success means that the group was empty in time: finished."),
    Mistake(
      "cancels late jobs", .file("CancelsLate.swift"),
      rejectedBy: ["late jobs run to their end"],
      advice: """
        Who waits gives up waiting, and that is all: others may need the jobs, and nobody asked to \
        cancel them.
        """),
    Mistake(
      "forgets late jobs",
      .edits([
        Edit(group, otherGroups),
        Edit(
          timeout,
          """
              case .timedOut:
                group = DispatchGroup()
                return .timedOut

          """),
      ]),
      rejectedBy: ["late jobs are waited for again"],
      advice: "A time-out doesn't end a job: keep the group, so that the next wait knows of it."),
    Mistake(
      "a signal for each job", .file("SignalPerJob.swift"),
      rejectedBy: ["wait says finished again"], verdict: .hung,
      advice: """
        A semaphore's signal is used up by the first who waits, but done is a state: a group stays \
        empty for all who ask.
        """),
    Mistake(
      "wakes one of those who wait", .file("WakesOne.swift"),
      rejectedBy: ["several may wait at once"], verdict: .hung,
      advice: "signal wakes one of those who wait, broadcast wakes all; a group wakes all."),
    Mistake(
      "nothing guards the list", .file("NoLock.swift"),
      rejectedBy: ["run and wait may be called on any thread"], verdict: .race,
      advice: """
        run changes the list and wait reads it, on any threads: guard it with a lock, or use one \
        group, which any thread may join.
        """),
  ]
}
