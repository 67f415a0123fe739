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
      Keep what has been made so far in one object behind a lock: nothing yet, a picture, saved, or \
      failed with an error. Each step looks there first, and does nothing where it says failed. The \
      last operation calls completion, whatever it finds.
      """,
      """
      decode, filter and save are BlockOperations: run.step { .picture(try steps.filter(try \
      run.picture())) }. step returns at once where a step has failed, and keeps the error where its \
      own throws. cancel(): mark the run as failed with DownloadError.cancelled, then \
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
        rejectedBy: [
          "a download that fails ends it with its cause",
          "a step that fails ends it with its error",
        ],
        advice: "An error that nobody keeps is an error that nobody hears of: hand it on."),
      Mistake(
        "success whatever happens",
        .edit(
          "    case .failed(let error): .failure(error)\n",
          "    case .failed: .success(URL(filePath: \"/\"))\n"),
        rejectedBy: ["a download that fails ends it with its cause"],
        advice: "The caller can't tell a saved picture from none: pass the error on."),
      Mistake(
        "decodes after a failed download",
        .edit(
          "try download.result?.get() ?? Data()", "(try? download.result?.get()) ?? Data()"),
        rejectedBy: ["a download that fails ends it with its cause"],
        advice: """
          try? turns the cause into nothing, and the next step fails on empty data with an error that \
          helps nobody: let the download's error through.
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
        rejectedBy: ["a step that fails ends it with its error"],
        advice: "A step that has nothing to work on must not be called."),
      Mistake(
        "decode doesn't depend on the download",
        .edit("    decode.addDependency(download)\n", ""),
        rejectedBy: ["start doesn't wait"],
        advice: "Without the dependency decode runs at once, on no data."),
      Mistake(
        "dependencies the wrong way round",
        .edit("decode.addDependency(download)", "download.addDependency(decode)"),
        rejectedBy: ["start doesn't wait"],
        advice: "later.addDependency(earlier): the operation that waits is the one that is asked."),
      Mistake(
        "saves the picture that came",
        .edit("try steps.filter(try run.picture())", "try run.picture()"),
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
        rejectedBy: ["five pipelines on a queue of width one don't mix"],
        advice: "Several pipelines run at once: what one has made belongs to it alone."),
      Mistake(
        "completion on success alone",
        .edit(
          "      completion(run.result)\n",
          "      if case .success = run.result { completion(run.result) }\n"),
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
        rejectedBy: ["a download that fails ends it with its cause"],
        advice:
          "The step that fails tells the caller, and so does the last one: tell it in one place."),
      Mistake(
        "cancels the steps and not the download",
        .edit("    download.cancel()\n", ""),
        rejectedBy: ["cancelled while it downloads, it ends"],
        advice: "The download may take for ever: cancel it, and the rest follows."),
      Mistake(
        "cancels the download alone",
        .edit("    run.cancel()\n", ""),
        rejectedBy: ["cancelled while it filters, it doesn't save"],
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
        rejectedBy: ["nothing keeps it alive"],
        advice: """
          The operation keeps its block, the block keeps the operation: capture it weakly, or don't \
          name it there.
          """),
    ],
    rightAnswers: [
      RightAnswer("one operation for all the steps", .file("OneOperation.swift")),
      RightAnswer("each step adds the next to the queue", .file("StepAfterStep.swift")),
    ])
}
