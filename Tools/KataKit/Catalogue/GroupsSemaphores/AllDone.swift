extension Kata {
  static let allDone = Kata(
    "AllDone", module: .groupsSemaphores,
    title: "Jobs on several queues, and one notice when all are done",
    difficulty: 1, minutes: 15,
    hints: [
      """
      Somebody must count the jobs that were submitted and aren't done yet, whatever queue they \
      are on, and act when the count comes to zero. Dispatch has a type for that. And when does a \
      job begin to count: when its queue gets to it, or when it is submitted?
      """,
      """
      A DispatchGroup is that counter. queue.async(group:) submits a block that counts from now \
      until it has returned; notify(queue:) calls a closure, once, when the count is zero. Where \
      the count is zero already, that is at once: so first the jobs, then notify.
      """,
      """
      private let group = DispatchGroup(). init: for job in jobs { add(job) }; then \
      group.notify(queue: noticeQueue, execute: onAllDone). add: job.queue.async(group: group, \
      execute: job.work).
      """,
    ],
    questions: [
      Question(
        "Why does `notify` come after the loop that submits the jobs?",
        answer: """
          A group is done when nothing is in it, and that is so before the first job has joined: \
          called first, `notify` would have told that all was done before anything had begun.
          """),
      Question(
        "A job adds another job. Why does the notice wait for that one with certainty?",
        answer: """
          The job that adds it hasn't returned, so the group holds at least that one. The count \
          can't touch zero in between.
          """),
      Question(
        "A job starts a download and returns. When is it done, as the group sees it?",
        answer: """
          At once: `async(group:)` counts a block until it returns. For work that ends in a \
          callback call `enter()` before it and `leave()` in the callback.
          """),
    ],
    mistakes: [
      Mistake(
        "waits on the caller",
        .edit(
          "group.notify(queue: noticeQueue, execute: onAllDone)",
          "group.wait()\n    noticeQueue.async(execute: onAllDone)"),
        breaks: [
          "Nothing here holds its caller until the jobs are done.",
          "in this order, and returns at once",
        ],
        rejectedBy: ["the caller isn't held"], verdict: .hung,
        advice: """
          wait() holds the caller until the last job is done, perhaps the main thread; notify \
          holds nobody.
          """),
      Mistake(
        "sync instead of async",
        .edit(
          "job.queue.async(group: group, execute: job.work)", "job.queue.sync(execute: job.work)"),
        breaks: [
          "Nothing here holds its caller until the jobs are done.",
          "Submits another job to its queue and returns at once.",
        ],
        rejectedBy: ["the caller isn't held"], verdict: .hung,
        advice: "sync waits until the job has returned; async submits it and goes on."),
      Mistake(
        "no jobs: the notice is delivered with sync",
        .edit(
          "    for job in jobs",
          """
              guard !jobs.isEmpty else {
                noticeQueue.sync(execute: onAllDone)
                return
              }
              for job in jobs
          """
        ),
        breaks: ["in this order, and returns at once"],
        rejectedBy: ["the caller isn't held by a busy notice queue"], verdict: .hung,
        advice: """
          The notice queue may be busy, or be the caller's own, and then sync never ends; deliver \
          with async, also where there's nothing to wait for.
          """),
      Mistake(
        "one job after the other",
        .edits([
          Edit(
            "  private let group = DispatchGroup()\n",
            """
              private let group = DispatchGroup()
              private let worker = DispatchQueue(label: "worker")

            """),
          Edit(
            "job.queue.async(group: group, execute: job.work)",
            "worker.async(group: group) { job.queue.sync(execute: job.work) }"),
        ]),
        breaks: ["Submits every job to its queue", "Submits another job to its queue"],
        rejectedBy: ["jobs run side by side, as their queues allow"],
        advice: """
          A job of another queue needn't wait for this one; give each to its own queue at once, \
          with async.
          """),
      Mistake(
        "a barrier for each job",
        .edit(
          "job.queue.async(group: group, execute: job.work)",
          "job.queue.async(group: group, flags: .barrier, execute: job.work)"),
        breaks: ["Submits every job to its queue", "Submits another job to its queue"],
        rejectedBy: ["jobs run side by side, as their queues allow"],
        advice: """
          A barrier keeps everything else in a concurrent queue waiting; whoever chose that queue \
          meant its jobs to run side by side.
          """),
      Mistake(
        "the last job first", .edit("for job in jobs {", "for job in jobs.reversed() {"),
        breaks: ["in this order, and returns at once"],
        rejectedBy: ["the jobs of a serial queue run in their order"],
        advice:
          "Jobs that share a serial queue may build on each other; submit them as they are given."
      ),
      Mistake(
        "a job begins when it's described",
        .edit(
          "      self.work = work\n", "      self.work = work\n      queue.async(execute: work)\n"),
        breaks: ["it begins when it is given to an ``AllDone``"],
        rejectedBy: [
          "each job runs once, on its queue", "a job begins when it is given away, not before",
        ],
        advice: "A description does nothing; submit the job in add, and nowhere else."),
      Mistake(
        "notify before the jobs are submitted",
        .edits([
          Edit("    for job in jobs { add(job) }\n", ""),
          Edit(
            "execute: onAllDone)\n", "execute: onAllDone)\n    for job in jobs { add(job) }\n"),
        ]),
        breaks: ["What must be done before the notice comes", "those given here"],
        rejectedBy: ["no notice comes while a job is under way"],
        advice: """
          A group that nothing has joined yet is empty, and notifies at once: submit the jobs \
          first, then call notify.
          """),
      Mistake(
        "the jobs don't join the group",
        .edit("job.queue.async(group: group, execute:", "job.queue.async(execute:"),
        breaks: ["What must be done before the notice comes", "those given here"],
        rejectedBy: [
          "no notice comes while a job is under way", "a job that waits in its queue counts",
        ],
        advice: """
          A group knows only what joins it: submit with async(group:), or call enter before and \
          leave after.
          """),
      Mistake(
        "added jobs don't count",
        .edits([
          Edit(
            "job.queue.async(group: group, execute: job.work)", "job.queue.async(execute: job.work)"
          ),
          Edit(
            "for job in jobs { add(job) }",
            "for job in jobs { job.queue.async(group: group, execute: job.work) }"),
        ]),
        breaks: [
          "those that were added before the last of them was done",
          "so what it adds counts",
        ],
        rejectedBy: ["a job added before the others are done counts", "what a job adds counts"],
        advice: "Jobs that are added must join the same group as those that init was given."),
      Mistake(
        "enters when the job begins",
        .edit(
          "job.queue.async(group: group, execute: job.work)",
          """
          job.queue.async { [group] in
                group.enter()
                job.work()
                group.leave()
              }
          """),
        breaks: ["What must be done before the notice comes", "so what it adds counts"],
        rejectedBy: [
          "a job that waits in its queue counts", "an added job that waits in its queue counts",
        ],
        advice: """
          In the job's own block enter comes too late: until its queue gets to it, the job doesn't \
          count. Call enter before async.
          """),
      Mistake(
        "added jobs enter when they begin",
        .edits([
          Edit(
            "job.queue.async(group: group, execute: job.work)",
            """
            job.queue.async { [group] in
                  group.enter()
                  job.work()
                  group.leave()
                }
            """),
          Edit(
            "for job in jobs { add(job) }",
            "for job in jobs { job.queue.async(group: group, execute: job.work) }"),
        ]),
        breaks: ["The notice waits for it too"],
        rejectedBy: ["an added job that waits in its queue counts"],
        advice: "Call enter before async, not in the block: a job counts once it is submitted."),
      Mistake(
        "leaves before the work",
        .edit(
          "job.queue.async(group: group, execute: job.work)",
          """
          group.enter()
              job.queue.async { [group] in
                group.leave()
                job.work()
              }
          """),
        breaks: ["A job is done when it returns.", "What there is to do; done when it returns."],
        rejectedBy: ["no notice comes while a job is under way"],
        advice:
          "leave says that the job is done, so it comes after the work; a defer can't be early."),
      Mistake(
        "leaves behind what the job began",
        .edit(
          "job.queue.async(group: group, execute: job.work)",
          """
          group.enter()
              job.queue.async { [group] in
                job.work()
                job.queue.async(flags: .barrier) { group.leave() }
              }
          """),
        breaks: ["What it only began"],
        rejectedBy: ["what a job only began isn't waited for"],
        advice: """
          A leave that stands in line in the job's queue waits for whatever was put there before \
          it; leave in the block that has run the job.
          """),
      Mistake(
        "one group for all objects",
        .edits([
          Edit("  private let group =", "  private static let group ="),
          Edit("async(group: group,", "async(group: Self.group,"),
          Edit("    group.notify(", "    Self.group.notify("),
        ]),
        breaks: ["those given here"], rejectedBy: ["the jobs of others aren't waited for"],
        advice: """
          A static group counts the jobs of all objects, and none of them hears before all are \
          done; each object needs its own.
          """),
      Mistake(
        "no jobs, no notice",
        .edit(
          "    for job in jobs", "    guard !jobs.isEmpty else { return }\n    for job in jobs"),
        breaks: ["Without any job it is called too.", "may be empty"],
        rejectedBy: ["without jobs the notice comes too"],
        advice: """
          Where there is nothing to do all is done, and whoever waits for the notice still waits; \
          an empty group notifies at once.
          """),
      Mistake(
        "the notice comes on a job's queue",
        .edit("queue: noticeQueue, execute", "queue: jobs.last?.queue ?? noticeQueue, execute"),
        breaks: ["The queue that `onAllDone` is called on.", "on a queue of your choice"],
        rejectedBy: ["the notice comes on the notice queue"],
        advice: "Notify on the queue that the caller asked for, not on the one that was there."),
      Mistake(
        "the notice is delivered with sync",
        .edit(
          "group.notify(queue: noticeQueue, execute: onAllDone)",
          """
          let queue = jobs.last?.queue ?? .global()
              group.notify(queue: queue) { noticeQueue.sync(execute: onAllDone) }
          """),
        breaks: ["It may be a job's queue too."],
        rejectedBy: [
          "what a job only began isn't waited for", "the notice queue may be a job's queue too",
        ],
        advice: """
          sync from a serial queue to itself can't end, and Dispatch traps; deliver with async, or \
          give the queue to notify.
          """),
      Mistake(
        "the wrong queue for the jobs",
        .edit("job.queue.async(group:", "DispatchQueue.global().async(group:"),
        breaks: ["The queue that ``work`` is called on.", "Submits another job to its queue"],
        rejectedBy: ["each job runs once, on its queue"],
        advice: """
          Each job names its queue: what it touches may be safe on that queue only. A group takes \
          jobs on any.
          """),
      Mistake(
        "a notice whenever the count is zero", .file("AgainAndAgain.swift"),
        breaks: ["tells once", "Called once", "and nobody is told"],
        rejectedBy: ["a job added after the notice runs, and there is no second notice"],
        advice: """
          A count can come to zero again when a late job ends; forget the notice when it has been \
          sent.
          """),
      Mistake(
        "told only when the notice is delivered", .file("ToldLate.swift"),
        breaks: ["Called once", "and nobody is told"],
        rejectedBy: ["what is added while the notice is in line changes nothing"],
        advice: """
          Between the last job's end and the notice the queue may be busy for long, and a late job brings \
          another: note that all is done in the step that finds the count at zero.
          """),
      Mistake(
        "the notice looks again whether all is done",
        .edit(
          "group.notify(queue: noticeQueue, execute: onAllDone)",
          """
          group.notify(queue: noticeQueue) { [group] in
                group.wait()
                onAllDone()
              }
          """),
        breaks: ["unless all other jobs are done by now"],
        rejectedBy: ["what is added while the notice is in line changes nothing"],
        advice: """
          What was added after all was done isn't waited for, and may be in line behind the very notice \
          that waits: call onAllDone as soon as its queue is free.
          """),
      Mistake(
        "the notice dies with the object",
        .edit(
          "group.notify(queue: noticeQueue, execute: onAllDone)",
          "group.notify(queue: noticeQueue) { [weak self] in if self != nil { onAllDone() } }"),
        breaks: ["The jobs run and the notice comes even if nobody keeps the object."],
        rejectedBy: ["the notice comes though nobody keeps the object"],
        advice: """
          The blocks that are under way keep the group alive, and nothing else is needed; a weak \
          self makes the notice depend on who keeps the object.
          """),
      Mistake(
        "jobs die with the object",
        .edit(
          "job.queue.async(group: group, execute: job.work)",
          "job.queue.async(group: group) { [weak self] in if self != nil { job.work() } }"),
        breaks: ["The jobs run and the notice comes even if nobody keeps the object."],
        rejectedBy: ["jobs in line run though nobody keeps the object"],
        advice: "The job needs nothing of the object; submit it as it is, without a weak self."),
      Mistake(
        "add counts without the lock", .file("AddsUnguarded.swift"),
        breaks: ["Safe to use from every thread"], rejectedBy: ["jobs may be added on any thread"],
        verdict: .race,
        advice: """
          Two threads that add at the same moment both read the counter before either writes it: \
          every use of it has to be under the lock, not just the one when a job ends.
          """),
      Mistake(
        "counts by hand, unsynchronised", .file("Unsynchronised.swift"),
        breaks: ["Safe to use from every thread"],
        rejectedBy: ["jobs may end on any thread"], verdict: .race,
        advice: """
          Jobs on two queues can end at the same moment, and both read the counter before either \
          writes it: guard it with a lock, or let a group count.
          """),
    ],
    rightAnswers: [
      RightAnswer("a lock and a counter", .file("LockAndCounter.swift")),
      RightAnswer("a thread that waits", .file("WaitingThread.swift")),
      RightAnswer("a queue that counts", .file("CountingQueue.swift")),
    ],
    unproven: [
      Unproven("Work, and the queue that it runs on.", "What the type is.")
    ])
}
