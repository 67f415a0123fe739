extension Kata {
  static let patientWait = Kata(
    "PatientWait", module: .groupsSemaphores,
    title: "Wait for jobs, but no longer than so many seconds",
    difficulty: 2, minutes: 20, needs: ["AllDone"],
    hints: [
      """
      What counts the jobs can also be waited for, and every wait of Dispatch's may have a \
      timeout: a moment, not a length. How many such moments does one wait need for a hundred \
      jobs?
      """,
      """
      Let the jobs join a DispatchGroup. group.wait(timeout:) blocks until the group is empty or \
      until the moment given, and tells which; where it is empty it says success, however late it \
      is. The moment is what deadline tells for the seconds, asked once.
      """,
      """
      private let group = DispatchGroup(). run: queue.async(group: group, execute: job). wait: \
      switch group.wait(timeout: deadline(seconds)) { case .success: return .finished; case \
      .timedOut: return .timedOut }.
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
    ],
    unproven: [
      Unproven(
        "On the main thread that is a frozen app", "What comes of using it in the wrong place."),
      Unproven("What became of the jobs in the time", "What the type is for."),
      Unproven("Tests put their own here.", "What it's good for."),
      Unproven("Whether it waits for jobs that are run meanwhile", "Says what isn't promised."),
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
      breaks: ["Submits `job` to `queue`"],
      rejectedBy: ["a job runs once, on its queue"],
      advice: "Each job names its queue; a group takes jobs on any."),
    Mistake(
      "run waits for the job", .edit(submit, "queue.sync(execute: job)"),
      breaks: ["Submits `job` to `queue` and returns at once"],
      rejectedBy: ["run returns while the queue is busy"], verdict: .hung,
      advice: "sync waits until the job has returned; only wait may wait, so submit with async."),
    Mistake(
      "one job after the other",
      .edits([
        Edit(group, "\(group)  private let worker = DispatchQueue(label: \"worker\")\n"),
        Edit(submit, "worker.async(group: group) { queue.sync(execute: job) }"),
      ]),
      breaks: ["Submits `job` to `queue`"],
      rejectedBy: ["jobs run side by side, as their queues allow"],
      advice: """
        A job of another queue needn't wait for this one; give each to its own queue at once, with \
        async.
        """),
    Mistake(
      "a barrier for each job",
      .edit(submit, "queue.async(group: group, flags: .barrier, execute: job)"),
      breaks: ["Submits `job` to `queue`"],
      rejectedBy: ["jobs run side by side, as their queues allow"],
      advice: """
        A barrier keeps everything else in a concurrent queue waiting; whoever chose that queue \
        meant its jobs to run side by side.
        """),
    Mistake(
      "a lock around run and wait",
      .edits([
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(group, "\(group)  private let lock = NSLock()\n"),
        Edit(submit, "lock.withLock { \(submit) }"),
        Edit(ask, "lock.lock()\n    defer { lock.unlock() }\n    \(ask)"),
      ]),
      breaks: ["also while somebody waits", "several may wait at once"],
      rejectedBy: ["run returns while somebody waits", "several may wait at once"], verdict: .hung,
      advice: """
        Whoever sleeps with the lock in hand keeps out all who want to run a job or to wait as \
        well; a group needs no lock.
        """),
    Mistake(
      "a lock while it asks for the deadline",
      .edits([
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(group, "\(group)  private let lock = NSLock()\n"),
        Edit(submit, "lock.withLock { \(submit) }"),
        Edit("deadline(seconds))", "lock.withLock { deadline(seconds) })"),
      ]),
      breaks: ["also while somebody waits", "each with a time of its own"],
      rejectedBy: ["a deadline that takes its time holds nobody up"], verdict: .hung,
      advice: """
        deadline belongs to whoever made the object, and may take its time or call run itself; never \
        call somebody else's code with a lock held.
        """),
    Mistake(
      "one group for all objects",
      .edit(
        group,
        """
          private static let jobsOfAll = DispatchGroup()
          private var group: DispatchGroup { Self.jobsOfAll }

        """),
      breaks: ["Creates a wait without jobs.", "and without jobs all is done"],
      rejectedBy: ["each object waits for its own jobs alone"],
      advice: """
        With a static group every wait of the program waits for everybody's jobs; a group is cheap, \
        so let each object have its own.
        """),
    Mistake(
      "one wait at a time",
      .edits([
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(group, "\(group)  private let lock = NSLock()\n"),
        Edit(ask, "lock.lock()\n    defer { lock.unlock() }\n    \(ask)"),
      ]),
      breaks: ["several may wait at once"],
      rejectedBy: ["several may wait at once"], verdict: .hung,
      advice: """
        A wait that stands behind another one can't give up when its own time is over; don't hold \
        a lock while you wait.
        """),
    Mistake(
      "jobs die with the object",
      .edit(submit, "queue.async(group: group) { [weak self] in if self != nil { job() } }"),
      breaks: ["Jobs run even if nobody keeps the object."],
      rejectedBy: ["jobs in line run though nobody keeps the object"],
      advice: "The job needs nothing of the object; submit it as it is, without a weak self."),
    Mistake(
      "the jobs don't join the group", .edit(submit, "queue.async(execute: job)"),
      breaks: [
        "``wait(atMost:)`` blocks its caller.",
        "Blocks until all jobs that were run before are done",
      ],
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
      breaks: ["Blocks until all jobs that were run before are done"],
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
      breaks: ["Blocks until all jobs that were run before are done"],
      rejectedBy: ["wait lasts until the last job is done"],
      advice: "The job that was run last needn't be the one that ends last; wait for all of them."),
    Mistake(
      "waits for ever",
      .edit("\(ask)\n\(success)\(timeout)    }\n", "group.wait()\n    return .finished\n"),
      breaks: ["but no longer than it was told to", "but no longer than `seconds`"],
      rejectedBy: ["wait gives up when the time is over"], verdict: .hung,
      advice: "wait() has no end of its own; give it a timeout, and look at what it returns."),
    Mistake(
      "a deadline of its own", .edit("timeout: deadline(seconds)", "timeout: .now() + seconds"),
      breaks: ["exactly once for each wait", "lasts so many seconds must end"],
      rejectedBy: ["wait gives up when the time is over"], verdict: .hung,
      advice: """
        Who makes the wait may say what a second is: ask deadline, which is .now() + seconds \
        unless somebody gave another.
        """),
    Mistake(
      "whole seconds only",
      .edit("= { .now() + $0 }", "= { .now() + .seconds(Int($0)) }"),
      breaks: ["lasts so many seconds must end"],
      rejectedBy: ["without a deadline of the caller's the seconds are real"],
      advice: "Int(0.25) is 0: add the Double itself to the DispatchTime."),
    Mistake(
      "0 is always too short",
      .edit(ask, "guard seconds > 0 else { return .timedOut }\n    \(ask)"),
      breaks: ["0 asks without waiting"], rejectedBy: ["0 seconds ask without waiting"],
      advice: "There's no time to wait, but still time to look: what is done is finished."),
    Mistake(
      "0 means without a limit",
      .edit(
        "timeout: deadline(seconds)", "timeout: seconds > 0 ? deadline(seconds) : .distantFuture"),
      breaks: ["0 asks without waiting"], rejectedBy: ["0 seconds ask without waiting"],
      verdict: .hung,
      advice: "0 seconds are 0 seconds: look, and return at once."),
    Mistake(
      "doesn't ask where all is done",
      .edit(
        ask, "if group.wait(timeout: .now()) == .success { return .finished }\n    \(ask)"),
      breaks: ["exactly once for each wait"],
      rejectedBy: ["wait asks for the deadline of its own seconds, once"],
      advice: "A wait asks for its deadline when it begins, before it knows whether it has to wait."
    ),
    Mistake(
      "the first deadline for all waits",
      .edits([
        Edit(
          group,
          """
          \(group)  // Safe: it isn't, but that is another mistake.
            private nonisolated(unsafe) var end: DispatchTime?

          """),
        Edit(
          ask,
          """
          let end = self.end ?? deadline(seconds)
              self.end = end
              switch group.wait(timeout: end) {
          """),
      ]),
      breaks: ["each with a time of its own", "exactly once for each wait"],
      rejectedBy: ["wait asks for the deadline of its own seconds, once"],
      advice:
        "The moment that ended the last wait is over for the next one: ask again in each wait."),
    Mistake(
      "looks every so often",
      .edits([
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(
          "\(ask)\n\(success)\(timeout)    }\n",
          """
          let end = deadline(seconds)
              while group.wait(timeout: .now()) == .timedOut {
                if DispatchTime.now() >= end { return .timedOut }
                Thread.sleep(forTimeInterval: 1)
              }
              return .finished

          """),
      ]),
      breaks: ["The caller sleeps until the last job or the deadline wakes it"],
      rejectedBy: ["wait lasts until the last job is done"], verdict: .hung,
      advice: """
        Whoever sleeps in between comes late, and whoever doesn't keeps a core busy; a group's \
        wait is woken when the last job is done.
        """),
    Mistake(
      "woken by the first job", .file("IfForWhile.swift"),
      breaks: ["Blocks until all jobs that were run before are done"],
      rejectedBy: ["each job but the last leaves the wait asleep"],
      advice: """
        Whoever wakes at a condition has been told that something changed, not what: look again, \
        in a loop.
        """),
    Mistake(
      "without jobs nothing is finished",
      .edits([
        Edit(
          group,
          """
          \(group)  // Safe: it isn't, but that is another mistake.
            private nonisolated(unsafe) var hasJobs = false

          """),
        Edit(submit, "hasJobs = true\n    \(submit)"),
        Edit(ask, "guard hasJobs else { return .timedOut }\n    \(ask)"),
      ]),
      breaks: ["Creates a wait without jobs.", "and without jobs all is done"],
      rejectedBy: ["without jobs all is done"],
      advice: "Where there is nothing to wait for, all of it is done; an empty group says success."),
    Mistake(
      "milliseconds", .edit("timeout: deadline(seconds)", "timeout: deadline(seconds * 1000)"),
      breaks: ["lasts so many seconds must end"],
      rejectedBy: ["wait asks for the deadline of its own seconds, once"],
      advice: "seconds are seconds, here and in .now() + seconds; there is nothing to convert."),
    Mistake(
      "the time for each job", .file("TimePerJob.swift"),
      breaks: ["`seconds` is for all jobs together.", "however many jobs there are"],
      rejectedBy: ["the time is for all jobs together"], verdict: .hung,
      advice: """
        Waiting so long for each job adds up: a hundred jobs, a hundred times as long. Ask for one \
        deadline, and let all jobs share it.
        """),
    Mistake(
      "the time begins again for the next job", .file("TimeAgain.swift"),
      breaks: ["`seconds` is for all jobs together.", "however many jobs there are"],
      rejectedBy: ["the time is for all jobs together"], verdict: .hung,
      advice: """
        Each job that is done in time gives the next one all of the time again; ask for the \
        deadline once, before the loop.
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
      breaks: ["never reported as timed out"],
      rejectedBy: ["jobs that are done are finished, however late it is"],
      advice: """
        Look at the jobs first: what is done is done, and a group that is empty says success also \
        where the time is over.
        """),
    Mistake(
      "always finished", .edit(timeout, "    case .timedOut: return .finished\n"),
      breaks: ["says whether they are done", "The time is over and some aren't done."],
      rejectedBy: ["wait gives up when the time is over"],
      advice: "wait(timeout:) returns before the jobs are done, too; look at what it returns."),
    Mistake(
      "finished and timed out swapped",
      .edits([
        Edit(success, "    case .success: return .timedOut\n"),
        Edit(timeout, "    case .timedOut: return .finished\n"),
      ]),
      breaks: ["All of them are done.", "The time is over and some aren't done."],
      rejectedBy: ["wait lasts until the last job is done", "without jobs all is done"],
      advice: "success means that the group was empty in time: finished."),
    Mistake(
      "cancels late jobs", .file("CancelsLate.swift"),
      breaks: ["They go on.", "Time that is over stops nothing"],
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
      breaks: ["the next wait waits for them again"],
      rejectedBy: ["late jobs are waited for again"],
      advice: "A time-out doesn't end a job: keep the group, so that the next wait knows of it."),
    Mistake(
      "a signal for each job", .file("SignalPerJob.swift"),
      breaks: ["never reported as timed out"],
      rejectedBy: ["run returns while somebody waits", "wait says finished again"],
      advice: """
        A semaphore's signal is used up by the first who waits, but done is a state: a group stays \
        empty for all who ask.
        """),
    Mistake(
      "wakes one of those who wait", .file("WakesOne.swift"),
      breaks: ["several may wait at once"],
      rejectedBy: ["several may wait at once"], verdict: .hung,
      advice: "signal wakes one of those who wait, broadcast wakes all; a group wakes all."),
    Mistake(
      "nothing guards the list", .file("NoLock.swift"),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["run and wait may be called on any thread"], verdict: .race,
      advice: """
        run changes the list and wait reads it, on any threads: guard it with a lock, or use one \
        group, which any thread may join.
        """),
  ]
}
