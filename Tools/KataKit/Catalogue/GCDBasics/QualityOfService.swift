extension Kata {
  static let qualityOfService = Kata(
    "QualityOfService", module: .gcdBasics,
    title: "Say who waits, and make the queue that knows it",
    difficulty: 1, minutes: 10, needs: ["BackgroundWork"],
    hints: [
      """
      Don't ask how important a task is; everything is. Ask who waits: a finger, a person who can't \
      go on, a person who looks in from time to time, or nobody.
      """,
      """
      A finger: .userInteractive. Somebody who has asked and waits: .userInitiated. A progress bar or \
      a badge: .utility. Nobody: .background. For the queue there is one initialiser that takes all \
      three: label, qos and attributes.
      """,
      """
      Two tasks for each class. In makeQueue: DispatchQueue(label: label, qos: DispatchQoS(qosClass: \
      qosClass, relativePriority: 0), attributes: attributes).
      """,
    ],
    questions: [
      Question(
        """
        An export takes minutes and is `.utility`; decoding a photo takes half a second and is \
        `.userInitiated`. What decides, if not the time it takes?
        """,
        answer: """
          Who waits for it. Nobody stands still for the export, which has a bar of its own; \
          whoever has tapped the photo looks at an empty screen until it is there.
          """),
      Question(
        "What is lost if everything is given the highest class?",
        answer: """
          The difference. The system can no longer let the finger on the screen go before the \
          backup, and work that nobody waits for costs energy as if somebody did.
          """),
      Question(
        "Most queues are made without a class. Why is that never the answer here?",
        answer: """
          `.unspecified` leaves the class to whoever submits the work, and `.default` says that \
          nobody has thought about it; it lies between user-initiated and utility. This kata is \
          the thinking.
          """),
    ],
    mistakes: qualityOfServiceMistakes,
    rightAnswers: [
      RightAnswer("a table, and queues with a target", .file("Table.swift")),
      RightAnswer("two questions about each task", .file("WhoWaits.swift")),
    ])

  // MARK: - Mistakes

  private static let moves = "what moves with a finger is there on the next frame"
  private static let waits = "what a person waits for comes soon"
  private static let watches = "what a person only watches takes its time"
  private static let unseen = "what nobody sees gives way to everything"

  private static let make = "DispatchQueue(label: label, qos: qos, attributes: attributes)"

  private static let makeWithClass = """
    let qos = DispatchQoS(qosClass: qosClass, relativePriority: 0)
        return \(make)
    """

  private static let qualityOfServiceMistakes = [
    Mistake(
      "utility and background swapped",
      .edits([
        Edit(".downloadAlbum: .utility", ".downloadAlbum: .background"),
        Edit(".recogniseFaces: .background", ".recogniseFaces: .utility"),
      ]),
      rejectedBy: [watches, unseen],
      advice: """
        A progress bar is watched, so .background may let it stand still for hours; what nobody sees \
        needn't compete with it.
        """),
    Mistake(
      "everything user-initiated",
      .edits([
        Edit(".previewFilter: .userInteractive", ".previewFilter: .userInitiated"),
        Edit(".downloadAlbum: .utility", ".downloadAlbum: .userInitiated"),
        Edit(".recogniseFaces: .background", ".recogniseFaces: .userInitiated"),
      ]),
      rejectedBy: [moves, watches, unseen],
      advice: """
        Where everything is urgent nothing is: the backup competes with the photo that somebody waits \
        for. Ask of each task who waits.
        """),
    Mistake(
      "everything that was tapped is user-initiated",
      .edit(".downloadAlbum: .utility", ".downloadAlbum: .userInitiated"),
      rejectedBy: [watches],
      advice: """
        A button started it, but the person goes on with other things: it isn't how work begins that \
        counts, but who waits for its end.
        """),
    Mistake(
      "the fastest for whoever waits",
      .edit(".searchForWord: .userInitiated", ".searchForWord: .userInteractive"),
      rejectedBy: [waits],
      advice: """
        .userInteractive is for what must be there on the next frame; work of a second in that class \
        takes the cores from the drawing.
        """),
    Mistake(
      "the default where one isn't sure",
      .edit(".recogniseFaces: .background", ".recogniseFaces: .default"),
      rejectedBy: ["no task is left to chance", unseen],
      advice: """
        .default stands between .userInitiated and .utility: work that nobody sees would go before \
        work that somebody watches.
        """),
    Mistake(
      "unspecified for what nobody waits for",
      .edit(".recogniseFaces: .background", ".recogniseFaces: .unspecified"),
      rejectedBy: ["no task is left to chance", unseen],
      advice: """
        Unspecified doesn't mean unimportant: it leaves the class to whoever submits the work, and \
        that may be the main thread.
        """),
    Mistake(
      "ignores the attributes",
      .edit(make, "DispatchQueue(label: label, qos: qos)"),
      rejectedBy: [
        "the queue is concurrent where that is asked", "the queue is inactive where that is asked",
      ],
      advice: "Without attributes every queue is serial and active: pass on what was asked for."),
    Mistake(
      "always concurrent",
      .edit(make, "DispatchQueue(label: label, qos: qos, attributes: .concurrent)"),
      rejectedBy: [
        "the queue is serial where nothing is asked", "the queue is inactive where that is asked",
      ],
      advice: """
        Whoever asks for nothing counts on one block after another, often to protect something: pass \
        on what was asked for.
        """),
    Mistake(
      "passes on one attribute of two",
      .edit(
        make,
        """
        DispatchQueue(
              label: label, qos: qos, attributes: attributes.contains(.concurrent) ? .concurrent : [])
        """),
      rejectedBy: ["the queue is inactive where that is asked"],
      advice: "Attributes are a set: pass it on whole instead of taking it apart."),
    Mistake(
      "a label of its own",
      .edit(make, "DispatchQueue(label: \"photos\", qos: qos, attributes: attributes)"),
      rejectedBy: ["each queue bears its label"],
      advice: """
        Ten queues called photos can't be told apart in a crash report: use the label that was asked \
        for.
        """),
    Mistake(
      "the class isn't given to the queue",
      .edit(makeWithClass, "DispatchQueue(label: label, attributes: attributes)"),
      rejectedBy: ["the queue carries the class of its task"],
      advice: "Choosing a class changes nothing by itself: make the queue with it."),
    Mistake(
      "a global queue",
      .edit(makeWithClass, "DispatchQueue.global(qos: qosClass)"),
      rejectedBy: [
        "each queue bears its label", "the queue is serial where nothing is asked",
        "the queue is inactive where that is asked",
      ],
      advice: """
        A global queue has the right class, but it's concurrent, has the system's label and belongs \
        to everybody: make one.
        """),
  ]
}
