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
    ],
    unproven: [
      Unproven("Something that a photo app does", "Says what the type is for."),
      Unproven(
        "The quality of service says how urgent work is", "An explanation; the rules follow."),
      Unproven("Make a film of an album.", "Says what the task is."),
      Unproven("Decode the photo that was tapped just now.", "Says what the task is."),
      Unproven("Copy the library to the backup.", "Says what the task is."),
      Unproven("Fetch the photos of an album", "Says what the task is."),
      Unproven("Draw the photo as a filter makes it", "Says what the task is."),
      Unproven("Find the photos for the word that was entered.", "Says what the task is."),
      Unproven("Recognise the faces in all photos", "Says what the task is."),
      Unproven("It takes a second.", "The story; the next sentence says who waits."),
      Unproven("A badge counts.", "The story; the sentence before says who waits."),
      Unproven("On Linux Dispatch has one class", "It's about Dispatch."),
      Unproven("The queue.", "Says what is returned."),
      Unproven("One that is inactive must be activated", "Asks something of the caller."),
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
      breaks: [
        "They appear one after another, in a list", "Nobody has asked for it, and nobody sees it.",
      ],
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
      breaks: [
        "Each step of the slider wants its own picture, on the very next frame.",
        "`.background`: nobody sees it",
      ],
      rejectedBy: [moves, watches, unseen],
      advice: """
        Where everything is urgent nothing is: the backup competes with the photo that somebody waits \
        for. Ask of each task who waits.
        """),
    Mistake(
      "everything that was tapped is user-initiated",
      .edit(".downloadAlbum: .utility", ".downloadAlbum: .userInitiated"),
      breaks: ["`.utility`: a person knows of it"],
      rejectedBy: [watches],
      advice: """
        A button started it, but the person goes on with other things: it isn't how work begins that \
        counts, but who waits for its end.
        """),
    Mistake(
      "the fastest for whoever waits",
      .edit(".searchForWord: .userInitiated", ".searchForWord: .userInteractive"),
      breaks: [
        "`.userInitiated`: a person has asked for it",
        "The person looks at an empty list until then.",
      ],
      rejectedBy: [waits],
      advice: """
        .userInteractive is for what must be there on the next frame; work of a second in that class \
        takes the cores from the drawing.
        """),
    Mistake(
      "the default where one isn't sure",
      .edit(".recogniseFaces: .background", ".recogniseFaces: .default"),
      breaks: ["Never `.default`", "one of the four classes that say who waits"],
      rejectedBy: ["no task is left to chance", unseen],
      advice: """
        .default stands between .userInitiated and .utility: work that nobody sees would go before \
        work that somebody watches.
        """),
    Mistake(
      "unspecified for what nobody waits for",
      .edit(".recogniseFaces: .background", ".recogniseFaces: .unspecified"),
      breaks: ["Never `.default`", "one of the four classes that say who waits"],
      rejectedBy: ["no task is left to chance", unseen],
      advice: """
        Unspecified doesn't mean unimportant: it leaves the class to whoever submits the work, and \
        that may be the main thread.
        """),
    Mistake(
      "ignores the attributes",
      .edit(make, "DispatchQueue(label: label, qos: qos)"),
      breaks: ["What the queue is like"],
      rejectedBy: [
        "the queue is concurrent where that is asked", "the queue is inactive where that is asked",
      ],
      advice: "Without attributes every queue is serial and active: pass on what was asked for."),
    Mistake(
      "always concurrent",
      .edit(make, "DispatchQueue(label: label, qos: qos, attributes: .concurrent)"),
      breaks: ["What the queue is like"],
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
      breaks: ["What the queue is like"],
      rejectedBy: ["the queue is inactive where that is asked"],
      advice: "Attributes are a set: pass it on whole instead of taking it apart."),
    Mistake(
      "a label of its own",
      .edit(make, "DispatchQueue(label: \"photos\", qos: qos, attributes: attributes)"),
      breaks: ["The queue's name, for debuggers and crash reports"],
      rejectedBy: ["each queue bears its label"],
      advice: """
        Ten queues called photos can't be told apart in a crash report: use the label that was asked \
        for.
        """),
    Mistake(
      "a label without a dot is completed",
      .edit(
        make,
        """
        DispatchQueue(
              label: label.contains(".") ? label : "photos." + label, qos: qos, attributes: attributes)
        """),
      breaks: ["The queue's name, for debuggers and crash reports"],
      rejectedBy: ["each queue bears its label"],
      advice: "Whoever looks for a queue in a crash report looks for the label that was asked for."),
    Mistake(
      "the class isn't given to the queue",
      .edit(makeWithClass, "DispatchQueue(label: label, attributes: attributes)"),
      breaks: ["Its `qos` has the task's class"],
      rejectedBy: ["the queue carries the class of its task"],
      advice: "Choosing a class changes nothing by itself: make the queue with it."),
    Mistake(
      "a global queue",
      .edit(makeWithClass, "DispatchQueue.global(qos: qosClass)"),
      breaks: ["on each call a new one"],
      rejectedBy: [
        "each queue bears its label", "the queue is serial where nothing is asked",
        "the queue is inactive where that is asked",
      ],
      advice: """
        A global queue has the right class, but it's concurrent, has the system's label and belongs \
        to everybody: make one.
        """),
    Mistake(
      "an export is urgent because it was asked for",
      .edits([
        Edit(".exportAlbum, .downloadAlbum: .utility", ".downloadAlbum: .utility"),
        Edit(
          ".openTappedPhoto, .searchForWord:", ".openTappedPhoto, .searchForWord, .exportAlbum:"),
      ]),
      breaks: [
        "The person has started it with a button and goes on with other photos.",
        "a bar shows how far it is",
      ],
      rejectedBy: [watches],
      advice: """
        For minutes the export competes with the photos that the person goes on to look at: a bar is \
        watched, not waited for.
        """),
    Mistake(
      "the shortest wait is the most urgent",
      .edits([
        Edit(".openTappedPhoto, .searchForWord: .userInitiated", ".searchForWord: .userInitiated"),
        Edit(
          ".turnWithFingers, .previewFilter:", ".turnWithFingers, .previewFilter, .openTappedPhoto:"
        ),
      ]),
      breaks: ["It takes half a second, and there is nothing on the screen until it's done."],
      rejectedBy: [waits],
      advice: """
        Half a second is thirty frames, so nobody expects it on the next one; in the topmost class it \
        would take the cores from the drawing.
        """),
    Mistake(
      "a movement is only what somebody asks for",
      .edits([
        Edit(
          ".turnWithFingers, .previewFilter: .userInteractive", ".previewFilter: .userInteractive"),
        Edit(
          ".openTappedPhoto, .searchForWord:", ".openTappedPhoto, .searchForWord, .turnWithFingers:"
        ),
      ]),
      breaks: [
        "`.userInteractive`: it's part of a movement", "Turn the photo with the two fingers",
        "Whatever comes a frame late is seen as a stutter.",
      ],
      rejectedBy: [moves],
      advice: """
        The photo hangs behind the fingers whenever something else was asked for at the same time: what \
        moves with a finger has a class of its own.
        """),
    Mistake(
      "what takes hours should get on",
      .edits([
        Edit(".backUpLibrary, .recogniseFaces: .background", ".recogniseFaces: .background"),
        Edit(".exportAlbum, .downloadAlbum:", ".exportAlbum, .downloadAlbum, .backUpLibrary:"),
      ]),
      breaks: [
        "`.background`: nobody sees it", "The app does it by itself, each night.",
        "It takes hours, and shows nothing.",
      ],
      rejectedBy: [unseen],
      advice: """
        It drains the battery and competes with what somebody watches, for a backup that nobody looks \
        at: who waits counts, and not how long it takes.
        """),
    Mistake(
      "either attribute, but not both",
      .edit(
        "    return \(make)\n",
        """
            switch attributes {
            case .concurrent: return DispatchQueue(label: label, qos: qos, attributes: .concurrent)
            case .initiallyInactive:
              return DispatchQueue(label: label, qos: qos, attributes: .initiallyInactive)
            default: return DispatchQueue(label: label, qos: qos)
            }

        """),
      breaks: [
        "serial and active where nothing is asked, `.concurrent`, `.initiallyInactive`, or both"
      ],
      rejectedBy: ["the queue is inactive where that is asked"],
      advice: """
        Attributes are a set, and a set with both is equal to neither: pass it on whole instead of \
        telling cases apart.
        """),
    Mistake(
      "any attribute makes it concurrent",
      .edit(
        make,
        """
        DispatchQueue(
              label: label, qos: qos,
              attributes: attributes.isEmpty ? [] : attributes.union(.concurrent))
        """),
      breaks: [
        "serial and active where nothing is asked, `.concurrent`, `.initiallyInactive`, or both"
      ],
      rejectedBy: ["the queue is inactive where that is asked"],
      advice: """
        Whoever asked for an inactive queue counts on a serial one, which is what nothing else was asked \
        for: put nothing in.
        """),
    Mistake(
      "no class where there are attributes",
      .edit(
        "    return \(make)\n",
        """
            if attributes.isEmpty { return DispatchQueue(label: label, qos: qos) }
            return DispatchQueue(label: label, attributes: attributes)

        """),
      breaks: ["Its `qos` has the task's class, whatever the attributes are."],
      rejectedBy: ["the queue carries the class of its task"],
      advice: """
        Only the serial queues have a class then, and the others leave it to whoever submits the work: \
        give all three to one initialiser.
        """),
    Mistake(
      "one concurrent queue for each task",
      .edits([
        Edit(
          "    return \(make)\n",
          """
              if attributes == .concurrent { return Self.concurrent[self] ?? .global(qos: qosClass) }
              return \(make)

          """),
        Edit(
          "  /// How urgent the task is: one of the four classes that say who waits.\n",
          """
            private static let concurrent = Dictionary(
              uniqueKeysWithValues: allCases.map { task in
                let qos = DispatchQoS(qosClass: task.qosClass, relativePriority: 0)
                let label = "photos.\\(task)"
                return (task, DispatchQueue(label: label, qos: qos, attributes: .concurrent))
              })

            /// How urgent the task is: one of the four classes that say who waits.

          """),
      ]),
      breaks: ["on each call a new one", "The queue's name, for debuggers and crash reports"],
      rejectedBy: ["each call makes a new queue", "each queue bears its label"],
      advice: """
        A barrier of one user stops all the others, and one who suspends it stops everybody: a queue \
        costs little, so make a new one.
        """),
  ]
}
