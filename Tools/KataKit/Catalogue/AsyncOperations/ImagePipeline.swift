extension Kata {
  static let imagePipeline = Kata(
    "ImagePipeline", module: .asyncOperations,
    title: "Download, decode, filter, save: with errors passed along",
    difficulty: 4, minutes: 40, needs: ["DownloadOperation"],
    buildsOn: ["DownloadOperation", "DownloadError"],
    hints: [
      """
      Four operations in a row, each depending on the one before it. The steps are small: what is \
      hard is how a result, or an error, gets from one to the next, and to the caller in any case.
      """,
      """
      Keep what has been made so far in one object behind a lock: nothing yet, a picture, saved, \
      or failed with an error. Each step looks there first, and does nothing where it says failed. \
      The last operation calls completion, whatever it finds.
      """,
      """
      decode, filter and save are BlockOperations: run.step { .picture(try steps.filter(try \
      run.picture())) }. step returns at once where a step has failed, and keeps the error where \
      its own throws. cancel(): mark the run as failed with DownloadError.cancelled, then \
      download.cancel().
      """,
    ],
    questions: [
      Question(
        "Five pipelines share a queue of width one. Why don't they lock up?",
        answer: """
          No step waits inside for another: it isn't even started before the one it depends on has \
          finished. So the one place is always held by somebody who can go on.
          """),
      Question(
        "Decoding fails. What do the filter and save operations do?",
        answer: """
          They are started, since a dependency only asks for *finished*, see that the run has \
          failed, and do nothing. The last one reports the error of the first.
          """),
      Question(
        "Why do the operations' blocks hold the run, rather than the pipeline?",
        answer: """
          Nothing that they hold may hold the operations in turn: a pipeline that kept its steps, \
          kept by their blocks, would never go. The run knows no operation, and goes when they \
          have left the queue.
          """),
    ],
    mistakes: [
      Mistake(
        "the error is swallowed",
        .edit("      next = .failed(error)\n", "      return\n"),
        breaks: ["error is the result, as it was thrown"],
        rejectedBy: [
          "a download that fails ends it with its cause",
          "a step that fails ends it with its error",
        ],
        advice: "An error that nobody keeps is an error that nobody hears of: hand it on."),
      Mistake(
        "any cancellation counts as its own",
        .edit(
          "    } catch {\n      next",
          """
              } catch is CancellationError {
                next = .failed(DownloadError.cancelled)
              } catch {
                next
          """),
        breaks: ["error is the result, as it was thrown"],
        rejectedBy: ["a step may fail with a cancellation of its own"],
        advice: """
          A step may have cancelled something of its own, and nobody has called cancel(): hand on what was \
          thrown, and tell of a cancellation where cancel() was called.
          """),
      Mistake(
        "nobody hears that it can't be written",
        .edit("= { try $0.ppm.write(to: $1) }", "= { try? $0.ppm.write(to: $1) }"),
        breaks: ["error is the result, as it was thrown"],
        rejectedBy: ["a picture that can't be written is told"],
        advice: "A full disk, a folder that's gone: let the error through, and the caller knows."),
      Mistake(
        "a cancellation in place of what failed",
        .edit("      if case .failed = stage { return }\n      stage", "      stage"),
        breaks: ["The first step that fails ends the pipeline"],
        rejectedBy: ["cancelled after a step has failed, it says what failed"],
        advice:
          "It had ended when the step failed: a cancellation that comes later changes nothing."),
      Mistake(
        "cancel looks before it takes the lock",
        .edit(
          "    lock.withLock {\n      if case .saved = stage { return }\n",
          "    if case .saved = stage { return }\n    lock.withLock {\n"),
        breaks: ["Safe to use from every thread."],
        rejectedBy: ["it may be cancelled while it tells how it ended"], verdict: .race,
        advice:
          "A look beside somebody else's write is a race, even if you look again: take the lock."),
      Mistake(
        "success whatever happens",
        .edit(
          "    case .failed(let error): .failure(error)\n",
          "    case .failed: .success(URL(filePath: \"/\"))\n"),
        breaks: ["with the file or the error of the step that failed"],
        rejectedBy: ["a download that fails ends it with its cause"],
        advice: "The caller can't tell a saved picture from none: pass the error on."),
      Mistake(
        "decodes after a failed download",
        .edit(
          "try download.result?.get() ?? Data()", "(try? download.result?.get()) ?? Data()"),
        breaks: [
          "Makes a picture from the data that came.",
          "the steps after it aren't called",
        ],
        rejectedBy: ["a download that fails ends it with its cause"],
        advice: """
          try? turns the cause into nothing, and the next step fails on empty data with an error \
          that helps nobody: let the download's error through.
          """),
      Mistake(
        "runs the rest on failure",
        .edits([
          Edit("    if case .failed = lock.withLock({ stage }) { return }\n", ""),
          Edit(
            "    guard case .picture(let image) = lock.withLock({ stage }) else {\n      throw DownloadError.cancelled\n    }\n    return image\n",
            "    guard case .picture(let image) = lock.withLock({ stage }) else {\n      return RGBImage(rows: [[RGB(grey: 0)]])\n    }\n    return image\n"
          ),
        ]),
        breaks: ["the steps after it aren't called"],
        rejectedBy: ["a step that fails ends it with its error"],
        advice: "A step that has nothing to work on must not be called."),
      Mistake(
        "decode doesn't depend on the download",
        .edit("    decode.addDependency(download)\n", ""),
        breaks: ["The steps run one after another"],
        rejectedBy: ["start doesn't wait"],
        advice: "Without the dependency decode runs at once, on no data."),
      Mistake(
        "dependencies the wrong way round",
        .edit("decode.addDependency(download)", "download.addDependency(decode)"),
        breaks: ["The steps run one after another"],
        rejectedBy: ["start doesn't wait"],
        advice: "later.addDependency(earlier): the operation that waits is the one that is asked."),
      Mistake(
        "saves the picture that came",
        .edit("try steps.filter(try run.picture())", "try run.picture()"),
        breaks: [
          "A pipeline of operations: download a picture",
          "Filters the picture.",
          "each with what the one before it has made",
        ],
        rejectedBy: [
          "the picture is downloaded, filtered and saved",
          "each step gets what the one before it has made",
        ],
        advice: "The filter's output is what must be saved, not its input."),
      Mistake(
        "one state for all pipelines",
        .edits([
          Edit("  private let run = PipelineRun()\n", "  private static let run = PipelineRun()\n"),
          Edit("(file, steps, download, run)\n", "(file, steps, download, Self.run)\n"),
          Edit("    run.cancel()\n", "    Self.run.cancel()\n"),
        ]),
        breaks: ["each with what the one before it has made"],
        rejectedBy: ["five pipelines on a queue of width one don't mix"],
        advice: "Several pipelines run at once: what one has made belongs to it alone."),
      Mistake(
        "completion on success alone",
        .edit(
          "      completion(run.result)\n",
          "      if case .success = run.result { completion(run.result) }\n"),
        breaks: ["Called once when the pipeline is over"],
        rejectedBy: [
          "a download that fails ends it with its cause", "cancelled while it downloads, it ends",
        ],
        advice: "Somebody waits for completion on every path, the bad ones above all."),
      Mistake(
        "completion from every step",
        .edit(
          "      run.step { .picture(try steps.decode(try download.result?.get() ?? Data())) }\n",
          """
                run.step { .picture(try steps.decode(try download.result?.get() ?? Data())) }
                if case .failure(let error) = download.result { completion(.failure(error)) }

          """),
        breaks: ["Called once when the pipeline is over"],
        rejectedBy: ["a download that fails ends it with its cause"],
        advice:
          "The step that fails tells the caller, and so does the last one: tell it in one place."),
      Mistake(
        "cancels the steps and not the download",
        .edit("    download.cancel()\n", ""),
        breaks: ["``cancel()`` cancels the download.", "Asks the pipeline to stop."],
        rejectedBy: ["cancelled while it downloads, it ends"],
        advice: "The download may take for ever: cancel it, and the rest follows."),
      Mistake(
        "cancels the download alone",
        .edit("    run.cancel()\n", ""),
        breaks: ["Steps that haven't begun aren't called"],
        rejectedBy: ["cancelled while it decodes or filters, it goes no further"],
        advice:
          "The download may be over when cancel() comes; the steps that wait must hear of it too."),
      Mistake(
        "a closure that holds its own operation",
        .edits([
          Edit(
            "    let save = BlockOperation {\n",
            "    let save = BlockOperation()\n    save.addExecutionBlock {\n"),
          Edit(
            "      completion(run.result)\n",
            "      completion(run.result)\n      _ = save.isCancelled\n"),
        ]),
        breaks: ["Nothing keeps the pipeline, its operations or its steps"],
        rejectedBy: ["nothing keeps it alive"],
        advice: """
          The operation keeps its block, the block keeps the operation: capture it weakly, or \
          don't name it there.
          """),
      Mistake(
        "waits for the download inside a step",
        .edits([
          Edit("    decode.addDependency(download)\n", ""),
          Edit(
            "    let decode = BlockOperation {\n",
            "    let decode = BlockOperation {\n      download.waitUntilFinished()\n"),
          Edit("[download, decode, filter, save]", "[decode, filter, save, download]"),
        ]),
        breaks: ["No operation blocks to wait for another"],
        rejectedBy: ["five pipelines on a queue of width one don't mix"],
        advice: """
          The step holds the place that the download needs, and both wait for ever: a dependency \
          waits without a place.
          """),
      Mistake(
        "start waits for the end",
        .edit("waitUntilFinished: false)", "waitUntilFinished: true)"),
        breaks: ["Adds the pipeline's operations to `queue` and returns."],
        rejectedBy: ["start doesn't wait"], verdict: .hung,
        advice:
          "The caller may be the main thread: add the operations, and let completion tell the rest."
      ),
      Mistake(
        "a queue of its own",
        .edits([
          Edit("    queue.addOperations(", "    Self.own.addOperations("),
          Edit(
            "  private let run = PipelineRun()\n",
            "  private let run = PipelineRun()\n  private static let own = OperationQueue()\n"),
        ]),
        breaks: ["Runs the steps; it may be of any width, and shared."],
        rejectedBy: ["the picture is downloaded, filtered and saved"],
        advice: """
          How much runs at once, and when, the caller's queue decides: add the operations to that \
          one.
          """),
      Mistake(
        "completion elsewhere",
        .edit(
          "      completion(run.result)\n",
          "      DispatchQueue.global().async { completion(run.result) }\n"),
        breaks: ["on a thread of `queue`"],
        rejectedBy: ["the picture is downloaded, filtered and saved"],
        advice: """
          Whoever chose the queue chose where it's told, and an operation of it is over before it \
          is: call completion in the last operation.
          """),
      Mistake(
        "loads with a session of its own",
        .edit(
          "DownloadOperation(url: url, session: session)",
          """
          DownloadOperation(
                url: url, session: URLSession(configuration: session.configuration))
          """),
        breaks: ["session: The session that loads it"],
        rejectedBy: ["start doesn't wait"],
        advice:
          "The session that was handed in has the caller's delegate and cookies: load with that."
      ),
      Mistake(
        "the query is lost",
        .edit(
          "DownloadOperation(url: url, session: session)",
          """
          DownloadOperation(
                url: URL(string: url.path, relativeTo: url) ?? url, session: session)
          """),
        breaks: ["url: Where the picture is"],
        rejectedBy: ["the picture is downloaded, filtered and saved"],
        advice: "A path isn't the whole of a URL: hand on the URL that you were given."),
      Mistake(
        "saves beside the file",
        .edit(
          "try steps.save(try run.picture(), file)",
          "try steps.save(try run.picture(), file.appendingPathExtension(\"part\"))"),
        breaks: ["file: Where the filtered picture goes.", "Writes the picture to a file."],
        rejectedBy: ["the picture is downloaded, filtered and saved"],
        advice:
          "A file that is written under another name has to be moved in the end: save to `file`."
      ),
      Mistake(
        "its own filter in place of the given one",
        .edit("try steps.filter(try run.picture())", "try Steps().filter(try run.picture())"),
        breaks: ["each may be replaced", "steps: What is done with the data."],
        rejectedBy: ["each step gets what the one before it has made"],
        advice: "The steps are the caller's to choose: call the ones that were handed in."),
      Mistake(
        "no filter unless one is given",
        .edit(
          """
                filter: @escaping @Sendable (RGBImage) throws -> RGBImage = { image in
                  let filter = TiltShift()
                  return RGBImage(rows: (0..<image.height).map { filter.row($0, of: image) })
                },

          """,
          "      filter: @escaping @Sendable (RGBImage) throws -> RGBImage = { $0 },\n"),
        breaks: ["those that are left out decode and save PPM files, and apply a tilt-shift"],
        rejectedBy: ["the picture is downloaded, filtered and saved"],
        advice: "Whoever names no filter wants the tilt-shift."),
      Mistake(
        "asks for the picture when it is made",
        .edit(
          "    self.steps = steps\n    download",
          "    self.steps = steps\n    session.dataTask(with: url) { _, _, _ in }.resume()\n    download"
        ),
        breaks: ["nothing is sent before it's started"],
        rejectedBy: ["nothing is sent before it is started"],
        advice:
          "Nobody may ever start it: a request belongs to the download, which its queue starts."
      ),
      Mistake(
        "looks for a cancellation before it saves alone",
        .edits([
          Edit(
            "    if case .failed = lock.withLock({ stage }) { return }\n",
            """
                if case .failed = lock.withLock({ stage }) { return }
                if isLast, lock.withLock({ isCancelled }) {
                  return lock.withLock { stage = .failed(DownloadError.cancelled) }
                }

            """),
          Edit("  func step(_ body", "  func step(isLast: Bool = false, _ body"),
          Edit(
            """
                run.step {
                    try steps.save
            """,
            """
                run.step(isLast: true) {
                    try steps.save
            """),
          Edit(
            """
                  if case .saved = stage { return }
                  if case .failed = stage { return }
                  stage = .failed(DownloadError.cancelled)

            """,
            "      isCancelled = true\n"),
          Edit(
            "  private var stage = Stage.begun\n",
            "  private var stage = Stage.begun\n  private var isCancelled = false\n"),
        ]),
        breaks: ["Steps that haven't begun aren't called"],
        rejectedBy: ["cancelled while it decodes or filters, it goes no further"],
        advice: "Every step asks first whether it's still wanted: a filter may take a minute."),
      Mistake(
        "saved, and told as cancelled",
        .edit(
          "      if case .failed = stage, case .picture = next { return }\n",
          "      if case .failed = stage { return }\n"),
        breaks: ["is saved, and the result is its file"],
        rejectedBy: ["cancelled while it saves, it says how that ended"],
        advice: """
          The file is there, and the caller would think it isn't: what has been done is the \
          result, cancelled or not.
          """),
      Mistake(
        "an error after cancel is lost",
        .edit(
          "      if case .failed = stage, case .picture = next { return }\n",
          """
                switch (stage, next) {
                case (.failed, .picture), (.failed, .failed): return
                default: break
                }

          """),
        breaks: ["where the step throws, that error is the result"],
        rejectedBy: ["cancelled while it saves, it says how that ended"],
        advice: """
          A step that had begun has failed, which may have left something half done: tell that \
          error rather than that it was cancelled.
          """),
      Mistake(
        "steps with the lock held",
        .edits([
          Edit("  private let lock = NSLock()\n", "  private let lock = NSRecursiveLock()\n"),
          Edit(
            "    if case .failed = lock.withLock({ stage }) { return }\n",
            """
                lock.lock()
                defer { lock.unlock() }
                if case .failed = stage { return }

            """),
        ]),
        breaks: ["Returns at once."],
        rejectedBy: ["cancelled while it decodes or filters, it goes no further"], verdict: .hung,
        advice: """
          cancel() waits for the lock until the step has ended, on the main thread perhaps: call \
          the steps without the lock.
          """),
      Mistake(
        "cancel cleans up",
        .edit(
          "    download.cancel()\n",
          "    download.cancel()\n    try? FileManager.default.removeItem(at: file)\n"),
        breaks: ["Has no effect on one that is over."],
        rejectedBy: ["cancelled when it is over, it leaves the file"],
        advice: """
          The file of a pipeline that is over belongs to whoever was told of it: don't touch it \
          any more.
          """),
      Mistake(
        "it keeps itself until it is saved",
        .edits([
          Edit(
            "  private let lock = NSLock()\n",
            "  private let lock = NSLock()\n  private var owner: ImagePipeline?\n"),
          Edit(
            "  func cancel() {\n    lock.withLock {\n",
            """
              func keep(_ pipeline: ImagePipeline?) { lock.withLock { owner = pipeline } }

              func cancel() {
                lock.withLock {

            """),
          Edit(
            "    let decode = BlockOperation {\n",
            "    run.keep(self)\n    let decode = BlockOperation {\n"),
          Edit(
            "        return .saved(file)\n",
            "        run.keep(nil)\n        return .saved(file)\n"),
        ]),
        breaks: ["Nothing keeps the pipeline, its operations or"],
        rejectedBy: ["nothing keeps it alive"],
        advice: """
          Who keeps himself has to let go on every path, and a download that fails is one, too: let the \
          queue's operations keep what they need, and nothing else.
          """),
      Mistake(
        "goes with whoever made it",
        .edits([
          Edit(
            "      run.step { .picture(try steps.decode(try download.result?.get() ?? Data())) }\n",
            """
                  [weak run] in
                  run?.step { .picture(try steps.decode(try download.result?.get() ?? Data())) }

            """),
          Edit(
            "      run.step { .picture(try steps.filter(try run.picture())) }\n",
            """
                  [weak run] in
                  run?.step { [weak run] in
                    guard let run else { throw DownloadError.cancelled }
                    return .picture(try steps.filter(try run.picture()))
                  }

            """),
          Edit(
            "    let save = BlockOperation {\n",
            "    let save = BlockOperation { [weak run] in\n      guard let run else { return }\n"),
        ]),
        breaks: ["Nobody has to keep a pipeline that was started."],
        rejectedBy: ["the picture is downloaded, filtered and saved"],
        advice: """
          What the pipeline has made so far is gone with the pipeline: let the operations keep it, \
          which nobody else has to keep.
          """),
      Mistake(
        "cancel without the lock",
        .edit(
          """
            func cancel() {
              lock.withLock {
                if case .saved = stage { return }
                if case .failed = stage { return }
                stage = .failed(DownloadError.cancelled)
              }
            }

          """,
          """
            func cancel() {
              if case .saved = stage { return }
              if case .failed = stage { return }
              stage = .failed(DownloadError.cancelled)
            }

          """),
        breaks: ["Safe to use from every thread."],
        rejectedBy: ["it may be cancelled while a step runs"], verdict: .race,
        advice: """
          Whoever cancels and the step's thread touch the same variable at once: take the lock on \
          both sides.
          """),
    ],
    rightAnswers: [
      RightAnswer("one operation for all the steps", .file("OneOperation.swift")),
      RightAnswer("each step adds the next to the queue", .file("StepAfterStep.swift")),
      RightAnswer("a chain of five, the last of which reports", .file("FiveOperations.swift")),
    ],
    unproven: [
      Unproven(
        "Where somebody cancels the operations in the queue", "permits, and promises nothing"),
      Unproven("To be called once.", "asked of the caller"),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: let decode = BlockOperation { …", "Neither is in a queue yet."),
      Equivalent(
        "swapped with the next: let filter = BlockOperation { …", "Neither is in a queue yet."),
      Equivalent(
        "swapped with the next: let save = BlockOperation { …", "Neither is in a queue yet."),
      Equivalent(
        "swapped with the next: decode.addDependency(download)", "Neither is in a queue yet."),
      Equivalent(
        "swapped with the next: filter.addDependency(decode)", "Neither is in a queue yet."),
      Equivalent(
        "swapped with the next: run.cancel()", "Whichever is first, the download ends as cancelled."
      ),
      Equivalent(
        "swapped with the next: if case .saved = stage { return }", "Both are done under the lock."),
      Equivalent(
        "swapped with the next: if case .failed = lock.withLock({ stage }) { return }",
        "A name may be declared sooner."),
      Equivalent(
        "swapped with the next: self.steps = steps",
        "Nobody has the object before its initialiser ends."),
    ],
    elusive: [
      Elusive(
        "split before if case .failed = stage { return }: lock.withLock { …",
        "A picture saved between the two is told as cancelled."),
      Elusive(
        "split before stage = .failed(DownloadError.cancelled): lock.withLock { …", "As above."),
      Elusive(
        "left out: if case .saved = stage { return }",
        "Cancelled between the saving and the word of it, it says cancelled; nothing is called in between."
      ),
    ])
}
