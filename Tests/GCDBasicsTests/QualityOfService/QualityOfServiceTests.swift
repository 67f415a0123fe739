import Dispatch
import KataTesting
import Testing

/// Proves that every task has the class that says who waits for it, if anybody, and that each call makes a
/// new queue with the label, class and attributes asked for.
@Suite(.serialized, .kata) struct QualityOfServiceTests {
  private let timeline = Timeline()

  @Test func `no task is left to chance`() {
    let unchosen: [DispatchQoS.QoSClass] = [.default, .unspecified]
    let forgotten = DescribedTask.all.filter { unchosen.contains($0.task.qosClass) }
    #expect(
      forgotten.isEmpty,
      """
      \(forgotten.map { "\($0.task)" }.joined(separator: ", ")): .default and .unspecified say \
      that nobody has thought about the task. In qosClass, choose one of the four that say who waits: \
      .userInteractive, .userInitiated, .utility or .background.
      """)
  }

  @Test func `what moves with a finger is there on the next frame`() {
    judge(tasks: [.turnWithFingers, .previewFilter])
  }

  @Test func `what a person waits for comes soon`() {
    judge(tasks: [.openTappedPhoto, .searchForWord])
  }

  @Test func `what a person only watches takes its time`() {
    judge(tasks: [.exportAlbum, .downloadAlbum])
  }

  @Test func `what nobody sees gives way to everything`() {
    judge(tasks: [.backUpLibrary, .recogniseFaces])
  }

  @Test(arguments: AskedFor.allCases) func `each queue bears its label`(askedFor: AskedFor) {
    let labels = ["katas.spec.films", "katas.spec.films.next", "films", ""]
    let borne = labels.map { label in
      askedFor.withQueue(for: .exportAlbum, label: label) { $0.label }
    }
    #expect(
      borne == labels,
      """
      The label is the name that a debugger and a crash report show. Make a queue of your own for \
      each call, with the label that was asked for: DispatchQueue(label: label, …).
      """)
  }

  @Test(arguments: AskedFor.allCases) func `each call makes a new queue`(askedFor: AskedFor) {
    let label = "katas.spec.films"
    let isNew = askedFor.withQueue(for: .exportAlbum, label: label) { first in
      askedFor.withQueue(for: .exportAlbum, label: label) { second in first !== second }
    }
    #expect(
      isNew,
      """
      Two calls that asked for \(askedFor) made one queue, so those who asked for it wait for each \
      other, or activate each other's. Make a new one each time.
      """)
  }

  @Test(arguments: AskedFor.allCases) func `the queue carries the class of its task`(
    askedFor: AskedFor
  ) {
    let strangers = DescribedTask.all.compactMap { described in
      let task = described.task
      let wanted = Self.classOfQueue(asking: task.qosClass)
      let carried = askedFor.withQueue(for: task, label: "katas.spec.carrier") { $0.qos.qosClass }
      return carried == wanted
        ? nil : "\(task) wants .\(task.qosClass) and its queue has .\(carried)"
    }
    #expect(
      strangers.isEmpty,
      """
      The attributes asked for were \(askedFor). \(strangers.joined(separator: "; ")). A class that \
      isn't given to the queue does nothing: DispatchQueue(label: label, qos: …, attributes: …) with \
      DispatchQoS(qosClass: qosClass, relativePriority: 0).
      """)
  }

  @Test func `the queue is serial where nothing is asked`() {
    let queue = PhotoTask.exportAlbum.makeQueue(label: "katas.spec.serial")
    submitTwoBlocks(to: queue)
    #expect(
      timeline.orderOfEntry == ["first block"],
      timeline.showing(
        """
        A queue is serial unless .concurrent is asked for: it runs one block after another. Two \
        blocks were submitted, and the first hadn't ended yet.
        """))
  }

  @Test func `the queue is concurrent where that is asked`() {
    let queue = PhotoTask.exportAlbum.makeQueue(
      label: "katas.spec.concurrent", attributes: .concurrent)
    submitTwoBlocks(to: queue)
    #expect(
      timeline.overlapped("first block", "second block"),
      timeline.showing(
        """
        A concurrent queue was asked for, and its second block waits for the first. Pass the \
        attributes on: DispatchQueue(label: label, qos: …, attributes: attributes).
        """))
  }

  @Test(arguments: [AskedFor.inactive, .both]) func `the queue is inactive where that is asked`(
    askedFor: AskedFor
  ) {
    let queue = PhotoTask.backUpLibrary.makeQueue(
      label: "katas.spec.inactive", attributes: askedFor.attributes)
    submitTwoBlocks(to: queue)
    let early = timeline.events.count
    // Always: a queue that goes away without having been activated brings the process down.
    queue.activate()
    runUntilQuiet()
    #expect(
      early == 0,
      """
      A queue was asked for that starts nothing until it's activated, and it ran a block at once. \
      Pass all attributes on, not .concurrent alone.
      """)
    #expect(
      timeline.isInside("first block"),
      "The queue was activated, but it never ran the first block it held.")
    #expect(
      timeline.overlapped("first block", "second block") == (askedFor == .both),
      timeline.showing(
        """
        The attributes asked for were \(askedFor), and so many blocks ran at once: \
        \(timeline.largestNumberInside). Pass the attributes on as they are, with nothing left out \
        and nothing put in.
        """))
  }

  // MARK: - Fixtures

  /// Submits two blocks that stay where they are once they have begun.
  private func submitTwoBlocks(to queue: DispatchQueue) {
    let release = Gate("release the blocks")
    for block in ["first block", "second block"] {
      queue.async { [timeline] in timeline.visit(block, until: release) }
    }
    runUntilQuiet()
  }

  /// Compares the classes of some tasks with what is said about them.
  private func judge(tasks: [PhotoTask], sourceLocation: SourceLocation = #_sourceLocation) {
    let wrong = DescribedTask.all.filter {
      tasks.contains($0.task) && $0.task.qosClass != $0.qosClass
    }
    #expect(
      wrong.isEmpty, "\(wrong.map(\.objection).joined(separator: "\n\n"))",
      sourceLocation: sourceLocation)
  }

  /// The class that a queue says it has when it was made with `qosClass`.
  ///
  /// Not always the same: Dispatch on Linux counts `.userInteractive` as `.userInitiated`.
  private static func classOfQueue(asking qosClass: DispatchQoS.QoSClass) -> DispatchQoS.QoSClass {
    DispatchQueue(
      label: "katas.spec.probe", qos: DispatchQoS(qosClass: qosClass, relativePriority: 0)
    ).qos.qosClass
  }
}
