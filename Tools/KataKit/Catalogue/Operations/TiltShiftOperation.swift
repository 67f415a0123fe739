extension Kata {
  static let tiltShiftOperation = Kata(
    "TiltShiftOperation", module: .operations,
    title: "An operation that filters a picture and can be cancelled",
    difficulty: 2, minutes: 20, needs: ["WordOperation"],
    hints: [
      """
      A queue calls start(), and start() calls main() unless the operation was cancelled before. \
      Whatever you write in main() runs on the queue's thread, and the operation has finished when \
      main() returns. Which of the work may happen in init, then? Who tells main() to stop early?
      """,
      """
      Collect the filtered rows in a local array, so that nobody sees them before they are all \
      there; hand the filter inputImage, never what you have made so far. isCancelled is a \
      question that main() must ask: before each row, and when the rows are done. What main() \
      keeps at the end is read on other threads: a lock around both.
      """,
      """
      main: var rows: [[RGB]] = []; for row in 0..<inputImage.height { guard !isCancelled else \
      { return }; rows.append(filter(row, inputImage)) }; guard !isCancelled else { return }; let \
      output = RGBImage(rows: rows); lock.withLock { finished = output }. And outputImage: \
      lock.withLock { finished }, with private var finished: RGBImage? and private let lock = \
      NSLock().
      """,
    ],
    questions: [
      Question(
        "What is lost when the picture is filtered in `init` and only handed out in `main`?",
        answer: """
          Everything an operation is for: the work runs on whoever makes the operation, perhaps \
          the main thread, before its dependencies, past the queue's limit, and can't be \
          cancelled.
          """),
      Question(
        """
        The operation looks at `isCancelled` before each row. What would be wrong with once a \
        picture, and with once a pixel?
        """,
        answer: """
          Once a picture is too late to save any work. Once a pixel costs about as much as the \
          work itself; a row is short enough to wait for.
          """),
      Question(
        """
        Why does the output have rows of its own instead of replacing those of the input one by \
        one?
        """,
        answer: """
          A blurred pixel is made of its neighbours. In place, later rows would read what has been \
          blurred already, and the blur would run down the picture.
          """),
    ],
    mistakes: [
      Mistake(
        "start in place of main",
        .edit("public override func main() {", "public override func start() {"),
        breaks: [
          "Filters the picture.",
          "Add it to a queue, and read ``outputImage`` when it has finished.",
        ],
        rejectedBy: ["the output is made of the filtered rows"],
        advice: """
          start() is where Foundation marks an operation as executing and as finished; overridden, \
          it does neither, so override main() and leave start() alone.
          """),
      Mistake(
        "work in init",
        .edits([
          Edit(
            "    self.filter = filter\n",
            """
                self.filter = filter
                finished = RGBImage(rows: (0..<image.height).map { filter($0, image) })

            """),
          Edit(TiltShiftText.body, ""),
        ]),
        breaks: ["Nothing is computed yet.", "Creates an operation that will filter `image`."],
        rejectedBy: [
          "nothing is computed before it runs", "cancelled before its start, it computes nothing",
        ],
        advice: """
          What init does is done on the thread of whoever makes the operation, before any queue has \
          a say; keep the input there and compute in main().
          """),
      Mistake(
        "work on another thread",
        .edit(
          TiltShiftText.body,
          """
              DispatchQueue.global().async { [self] in
                var rows: [[RGB]] = []
                for row in 0..<inputImage.height {
                  guard !isCancelled else { return }
                  rows.append(filter(row, inputImage))
                }
                guard !isCancelled else { return }
                let output = RGBImage(rows: rows)
                lock.withLock { finished = output }
              }

          """),
        breaks: ["the work is done when ``main()`` returns"],
        rejectedBy: ["there is no output while it runs"],
        advice: """
          The operation has finished when main() returns, and nothing is done by then: the queue has \
          called main() on a thread for it, so work there.
          """),
      Mistake(
        "an output only where start has run",
        .edit(
          "{ lock.withLock { finished } }", "{ isFinished ? lock.withLock { finished } : nil }"),
        breaks: ["the work is done when ``main()`` returns", "nil until it is done"],
        rejectedBy: ["it is a synchronous operation"],
        advice: """
          isFinished is start()'s affair, and comes later than the output; whoever calls main() by \
          hand never sees it. Show what main() has kept.
          """),
      Mistake(
        "says that it's asynchronous",
        .edit(
          "  /// Filters the picture.",
          """
            public override var isAsynchronous: Bool { true }

            /// Filters the picture.
          """),
        breaks: ["It is a synchronous operation"],
        rejectedBy: ["it is a synchronous operation"],
        advice: """
          Asynchronous means that the work goes on when start() has returned. Here main() does it, on \
          whatever thread, and returns when it's done.
          """),
      Mistake(
        "a cancel lets main return at once",
        .edits([
          Edit(
            "  /// Filters the picture.",
            """
              private let isOver = DispatchSemaphore(value: 0)

              public override func cancel() {
                super.cancel()
                isOver.signal()
              }

              /// Filters the picture.
            """),
          Edit(
            TiltShiftText.body,
            """
                DispatchQueue.global().async { [self] in
                  defer { isOver.signal() }
                  var rows: [[RGB]] = []
                  for row in 0..<inputImage.height {
                    guard !isCancelled else { return }
                    rows.append(filter(row, inputImage))
                  }
                  guard !isCancelled else { return }
                  let output = RGBImage(rows: rows)
                  lock.withLock { finished = output }
                }
                isOver.wait()

            """),
        ]),
        breaks: ["the work is done when ``main()`` returns"],
        rejectedBy: ["cancelled in a row, it finishes when that row is done"],
        advice: """
          Whoever waits for the operation goes on while its filter is still at work. A cancel asks to \
          begin nothing more; wait for the row that is under way.
          """),
      Mistake(
        "no blur by default",
        .edit("TiltShift().row(row, of: image)", "image.row(row)"),
        breaks: ["input image in, tilt-shifted image out"],
        rejectedBy: ["the default filter is the tilt-shift"],
        advice: "Where no filter is given, it's the tilt-shift: leave the default as it is."),
      Mistake(
        "the last row left out",
        .edit(
          "for row in 0..<inputImage.height {", "for row in 0..<max(inputImage.height - 1, 1) {"),
        breaks: ["Called once for each row of `image`"],
        rejectedBy: ["the output is made of the filtered rows"],
        advice: "The output has as many rows as the input: ask the filter for the last one too."),
      Mistake(
        "nothing to do for a single row",
        .edit(
          "    var rows: [[RGB]] = []\n",
          "    guard inputImage.height > 1 else { return }\n    var rows: [[RGB]] = []\n"),
        breaks: ["Called once for each row of `image`"],
        rejectedBy: ["a picture of one row is filtered too"],
        advice: "One row is a picture as well, and whoever waits for it finds none: filter it."),
      Mistake(
        "writes over its input",
        .edits([
          Edit(
            "  public let inputImage: RGBImage\n",
            "  public private(set) var inputImage: RGBImage\n"),
          Edit(
            "    lock.withLock { finished = output }\n  }\n",
            "    lock.withLock { finished = output }\n    inputImage = output\n  }\n"),
        ]),
        breaks: ["The picture to filter.", "image: The picture to filter."],
        rejectedBy: ["the output is made of the filtered rows"],
        advice: "Whoever compares before and after finds the same twice: leave the input as it is."),
      Mistake(
        "waits for the output",
        .edit(
          "{ lock.withLock { finished } }",
          """
          {
              waitUntilFinished()
              return lock.withLock { finished }
            }
          """),
        breaks: ["also while the filter is at work; doesn't wait"],
        rejectedBy: ["nothing is computed before it runs"], verdict: .hung,
        advice:
          "Who asks may be the main thread, or whoever has to start it: say what there is now."),
      Mistake(
        "blurred in place",
        .edit(
          TiltShiftText.body,
          """
              var image = inputImage
              for row in 0..<inputImage.height {
                guard !isCancelled else { return }
                image.setRow(row, to: filter(row, image))
              }
              guard !isCancelled else { return }
              let output = image
              lock.withLock { finished = output }

          """),
        breaks: ["from the untouched input image"],
        rejectedBy: ["the filter always sees the input", "the default filter is the tilt-shift"],
        advice: """
          A blur looks at the rows above and below; once you have written over one of them, the \
          next is blurred from what was blurred: read from the input, write to another picture.
          """),
      Mistake(
        "starts over for every row",
        .edit(
          "rows.append(filter(row, inputImage))",
          "rows = (0...row).map { filter($0, inputImage) }"),
        breaks: ["Called once for each row of `image`"],
        rejectedBy: ["each row is computed once"],
        advice: """
          With every row all rows before it are computed again, so twice the height takes four \
          times as long; append the one new row.
          """),
      Mistake(
        "output half done",
        .edits([
          Edit("    var rows: [[RGB]] = []\n", "    lock.withLock { finished = inputImage }\n"),
          Edit(
            "rows.append(filter(row, inputImage))",
            """
            let filtered = filter(row, inputImage)
                  lock.withLock { finished?.setRow(row, to: filtered) }
            """),
          Edit(
            """
                let output = RGBImage(rows: rows)
                lock.withLock { finished = output }

            """, ""),
        ]),
        breaks: ["The filtered picture, whole"],
        rejectedBy: ["there is no output while it runs"],
        advice: """
          A lock makes each step safe, but others still see the picture between two steps; build it \
          in a local variable and keep it in one step when it is whole.
          """),
      Mistake(
        "lock held while it computes",
        .edits([
          Edit(
            "    var rows: [[RGB]] = []\n",
            """
                lock.lock()
                defer { lock.unlock() }
                var rows: [[RGB]] = []

            """),
          Edit("lock.withLock { finished = output }", "finished = output"),
        ]),
        breaks: ["doesn't wait"],
        rejectedBy: ["there is no output while it runs"], verdict: .hung,
        advice: """
          Whoever asks for the output waits until the whole picture is done, and for ever if the \
          filter waits for them: take the lock only to keep the result or to read it.
          """),
      Mistake(
        "cancellation ignored",
        .edits([
          Edit(TiltShiftText.lookBeforeRow, "      rows.append"),
          Edit(TiltShiftText.lookAtEnd, "    let output"),
        ]),
        breaks: ["it begins no further row and has no output"],
        rejectedBy: [
          "cancelled in a row, it computes no further one",
          "cancelled in its last row, it has no output",
        ],
        advice: """
          cancel() only sets isCancelled; nothing stops unless main() asks for it, before each row \
          and once more before it keeps the output.
          """),
      Mistake(
        "looks for a cancel only at the start",
        .edits([
          Edit(
            "    var rows: [[RGB]] = []\n",
            """
                guard !isCancelled else { return }
                var rows: [[RGB]] = []

            """),
          Edit(TiltShiftText.lookBeforeRow, "      rows.append"),
          Edit(TiltShiftText.lookAtEnd, "    let output"),
        ]),
        breaks: ["it begins no further row and has no output"],
        rejectedBy: [
          "cancelled in a row, it computes no further one",
          "cancelled in its last row, it has no output",
        ],
        advice: """
          start() has already asked at the start, and nobody asks after that; look at isCancelled \
          again before each row.
          """),
      Mistake(
        "doesn't look again after the last row", .edit(TiltShiftText.lookAtEnd, "    let output"),
        breaks: ["and for ever where it was cancelled first"],
        rejectedBy: ["cancelled in its last row, it has no output"],
        advice: """
          A cancel may come while the last row is computed, and no row follows that would look; ask \
          isCancelled once more before you keep the output.
          """),
      Mistake(
        "keeps the output of a cancelled run",
        .edits([
          Edit(
            TiltShiftText.lookBeforeRow,
            "      guard !isCancelled else { break }\n      rows.append"),
          Edit(TiltShiftText.lookAtEnd, "    let output"),
        ]),
        breaks: ["it begins no further row and has no output"],
        rejectedBy: [
          "cancelled in a row, it computes no further one",
          "cancelled in its last row, it has no output",
        ],
        advice: """
          Leaving the loop isn't leaving main(): what follows it still keeps the rows that were \
          done; return instead.
          """),
      Mistake(
        "drops its output in cancel",
        .edit(
          "  /// Filters the picture.",
          """
            public override func cancel() {
              super.cancel()
              lock.withLock { finished = nil }
            }

            /// Filters the picture.
          """),
        breaks: ["A cancel that comes when it has finished changes nothing."],
        rejectedBy: ["a cancel that comes too late changes nothing"],
        advice: """
          A cancel that comes when the operation has finished must change nothing; let main() look \
          at isCancelled and leave cancel() as it is.
          """),
      Mistake(
        "output unguarded",
        .edits([
          Edit("lock.withLock { finished }", "finished"),
          Edit("lock.withLock { finished = output }", "finished = output"),
        ]),
        breaks: ["Safe to read from every thread at any time"],
        rejectedBy: ["the output may be read while it is kept"], verdict: .race,
        advice: """
          main() writes the output on the queue's thread while another reads it, and @unchecked \
          Sendable only told the compiler not to mind: put a lock around both.
          """),
    ],
    rightAnswers: [
      RightAnswer("rows side by side", .file("ParallelRows.swift")),
      RightAnswer(
        "a queue guards the output",
        .edits([
          Edit(
            "private let lock = NSLock()",
            "private let guardian = DispatchQueue(label: \"katas.answers.tilt-shift-operation\")"),
          Edit("lock.withLock { finished }", "guardian.sync { finished }"),
          Edit("lock.withLock { finished = output }", "guardian.async { self.finished = output }"),
        ])),
      RightAnswer(
        "a mutex around the output",
        .edits([
          Edit("import Images\n", "import Images\nimport Synchronization\n"),
          Edit(
            "  private var finished: RGBImage?\n  private let lock = NSLock()\n",
            "  private let finished = Mutex<RGBImage?>(nil)\n"),
          Edit("lock.withLock { finished }", "finished.withLock { $0 }"),
          Edit("lock.withLock { finished = output }", "finished.withLock { $0 = output }"),
        ])),
    ],
    unproven: [
      Unproven("Rows may be computed one after another", "leaves a choice"),
      Unproven("Called by `start()`, never where", "`start()` of Foundation keeps it"),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: guard !isCancelled else { return }",
        "Behind a row or before the next one is the same moment."),
      Equivalent(
        "swapped with the next: guard !isCancelled else { return } (2)",
        "It is looked at before anything is kept."),
    ])
}

/// Pieces of the reference that several mistakes replace.
private enum TiltShiftText {
  static let lookBeforeRow = "      guard !isCancelled else { return }\n      rows.append"
  static let lookAtEnd = "    guard !isCancelled else { return }\n    let output"
  static let body = """
        var rows: [[RGB]] = []
        for row in 0..<inputImage.height {
          guard !isCancelled else { return }
          rows.append(filter(row, inputImage))
        }
        guard !isCancelled else { return }
        let output = RGBImage(rows: rows)
        lock.withLock { finished = output }

    """
}
