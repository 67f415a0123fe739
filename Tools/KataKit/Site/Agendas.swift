/// A workshop, minute by minute.
///
/// How long a kata takes stands in the catalogue and nowhere here, so that the two never disagree;
/// tests see to it that the parts add up and that nobody meets a kata before those that it needs.
public struct Agenda: Sendable {
  /// What it's called: "Ninety minutes".
  public let name: String
  /// What people can do afterwards, in a sentence.
  public let aim: String
  /// The minutes that the parts have to add up to.
  public let length: Int
  /// What is done, in this order.
  public let parts: [Part]
  /// Katas for those who are done first, or for the days after; in the order in which to do them.
  public let further: [String]

  /// Something that takes its time.
  public enum Part: Sendable {
    /// Everybody does this kata; it takes as long as the catalogue says.
    case kata(String)
    /// The room does something together for so many minutes.
    case together(Int, String)
    /// A break of so many minutes.
    case pause(Int, String = "Break")
  }

  /// The katas that everybody does, in this order.
  public var katas: [String] {
    parts.compactMap { part in
      guard case .kata(let name) = part else { return nil }
      return name
    }
  }
}

/// Ready-made workshops.
public enum Agendas {
  /// Workshops that begin and end on the same day, each by itself.
  public static let days = [ninetyMinutes, halfDay, fullDay]

  /// Six lunches, one a module, each after the one before it; what isn't done there is homework.
  public static let lunches = [
    gcdBasics, groupsSemaphores, barriers, operations, asyncOperations, cancellation,
  ]

  private static let ninetyMinutes = Agenda(
    name: "Ninety minutes",
    aim: "Everybody has seen a lost update and a change half done, and has prevented both.",
    length: 90,
    parts: [
      .together(10, "Welcome; pairs; `make kata`, and read the first verdict together"),
      .kata("BackgroundWork"),
      .kata("SerialLog"),
      .together(5, "Questions about `SerialLog`: why is the caller's own entry always there?"),
      .kata("HitCounter"),
      .together(10, "At the board: two threads, load, add, store; the lost update as a timeline"),
      .kata("PhotoStore"),
      .together(10, "Questions about `PhotoStore`; who saw which picture in a verdict?"),
      .together(10, "Closing round"),
    ],
    further: ["AtomicBox", "BarrierScope", "NestedAccess"])

  private static let halfDay = Agenda(
    name: "Half a day",
    aim: "Everybody can say what protects a piece of shared state, and make a change one step.",
    length: 210,
    parts: [
      .together(15, "Welcome; pairs; `make kata`, and read the first verdict together"),
      .kata("BackgroundWork"),
      .kata("ExecutionOrder"),
      .kata("SerialLog"),
      .together(10, "Questions; two of the small programs as timelines"),
      .kata("HitCounter"),
      .together(5, "At the board: the lost update as a timeline"),
      .pause(15),
      .kata("PhotoStore"),
      .together(10, "Questions about `PhotoStore`; readers and writers as a timeline"),
      .kata("AtomicBox"),
      .pause(10),
      .kata("NestedAccess"),
      .kata("BarrierScope"),
      .together(10, "Questions: what exactly does a barrier keep out?"),
      .together(10, "Closing round"),
    ],
    further: ["Lazily", "ComputeOnceCache", "Debouncer"])

  private static let fullDay = Agenda(
    name: "A full day",
    aim: "Everybody has built an operation that ends with its callback and can be cancelled.",
    length: 480,
    parts: [
      .together(15, "Welcome; pairs; `make kata`, and read the first verdict together"),
      .kata("BackgroundWork"),
      .kata("ExecutionOrder"),
      .kata("SerialLog"),
      .together(10, "Questions; two of the small programs as timelines"),
      .kata("HitCounter"),
      .kata("PhotoStore"),
      .together(10, "Questions about `PhotoStore`; readers and writers as a timeline"),
      .pause(15),
      .kata("AllDone"),
      .kata("CallbackGatherer"),
      .together(10, "Questions: where does `enter` stand, and why there?"),
      .together(10, "Time to catch up; whoever is done shows an answer that isn't the reference's"),
      .pause(60, "Lunch"),
      .together(5, "At the board: the life of an operation, and who changes which flag"),
      .kata("OperationState"),
      .kata("StateNotifier"),
      .together(10, "Questions about notices: what is true inside a *will*, what inside a *did*?"),
      .pause(15),
      .kata("AsyncOperation"),
      .together(15, "Read two answers together; what is missing on which path?"),
      .kata("SynchronousFinish"),
      .pause(10),
      .kata("CancelBeforeStart"),
      .kata("CooperativeLoop"),
      .together(10, "Questions: who finishes a cancelled operation, and when?"),
      .together(20, "Time to catch up, or to begin one of those below"),
      .together(20, "Closing round"),
    ],
    further: [
      "FinishOnce", "AsyncSumOperation", "CancelInFlight", "CancelRace", "DownloadOperation",
    ])
}

// MARK: - Six lunches

extension Agendas {
  private static let gcdBasics = Agenda(
    name: "GCDBasics",
    aim: "Queues: who runs what, in which order, and who waits.",
    length: 55,
    parts: [
      .together(10, "Welcome; pairs; `make kata`, and read the first verdict together"),
      .kata("BackgroundWork"),
      .kata("ExecutionOrder"),
      .kata("SerialLog"),
      .kata("QualityOfService"),
      .together(10, "Questions, and what to do at home"),
    ],
    further: ["Lazily", "ConcurrentMap", "ReentrantQueue", "Debouncer"])

  private static let groupsSemaphores = Agenda(
    name: "GroupsSemaphores",
    aim: "To know when all is done, with a thread that waits and without.",
    length: 55,
    parts: [
      .together(10, "One answer from home, and what was hard about it"),
      .kata("AllDone"),
      .kata("PatientWait"),
      .together(10, "Questions, and what to do at home"),
    ],
    further: [
      "CallbackGatherer", "SemaphoreLedger", "DownloadLimiter", "BoundedBuffer", "CallbackBridge",
      "DiningPhilosophers",
    ])

  private static let barriers = Agenda(
    name: "Barriers",
    aim: "Many read and one changes: what a barrier keeps out.",
    length: 60,
    parts: [
      .together(10, "One answer from home, and what was hard about it"),
      .kata("HitCounter"),
      .together(5, "At the board: the lost update as a timeline"),
      .kata("PhotoStore"),
      .together(10, "Questions, and what to do at home"),
    ],
    further: [
      "AtomicBox", "BarrierScope", "NestedAccess", "ComputeOnceCache", "Turnstile",
      "TransferLedger", "PriorityInheritance",
    ])

  private static let operations = Agenda(
    name: "Operations",
    aim: "Work as an object: with an end, an order and a way to be cancelled.",
    length: 60,
    parts: [
      .together(10, "One answer from home, and what was hard about it"),
      .kata("WordOperation"),
      .kata("TiltShiftOperation"),
      .together(10, "Questions, and what to do at home"),
    ],
    further: [
      "LifecycleLog", "DataPassing", "ThrottledQueue", "PriorityLane", "DependencyChain",
      "CompletionOperation", "ImportProgress", "CycleDetector",
    ])

  private static let asyncOperations = Agenda(
    name: "AsyncOperations",
    aim: "An operation that ends when its callback comes: states, and the notices about them.",
    length: 60,
    parts: [
      .together(10, "At the board: the life of an operation, and who changes which flag"),
      .kata("OperationState"),
      .kata("StateNotifier"),
      .together(15, "Questions, and `AsyncOperation` begun together: which paths lead to the end?"),
    ],
    further: [
      "AsyncOperation", "SynchronousFinish", "FinishOnce", "AsyncSumOperation",
      "AsyncBlockOperation", "DownloadOperation", "InjectingOperation", "TaskOperation",
      "ImagePipeline",
    ])

  private static let cancellation = Agenda(
    name: "Cancellation",
    aim: "To stop what nobody wants any more, and to finish all the same.",
    length: 60,
    parts: [
      .together(10, "`AsyncOperation` from home: read two answers together"),
      .kata("CancelBeforeStart"),
      .kata("CooperativeLoop"),
      .together(5, "Questions: who finishes a cancelled operation, and when?"),
      .together(10, "Closing round"),
    ],
    further: [
      "CancelInFlight", "CancelRace", "WorkItemCancellation", "OutcomeReporter", "CancelAll",
      "LatestOnly", "DeadlineOperation", "CancelCascade",
    ])
}
