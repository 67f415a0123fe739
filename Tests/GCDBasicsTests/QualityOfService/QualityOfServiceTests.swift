import Dispatch
import KataTesting
import Testing

/// Proves that every task has the class that says how a person waits for it.
///
/// Each call makes a new queue, with the label, class and attributes that were asked for.
@Suite(.serialized, .kata) struct QualityOfServiceTests {
  private let timeline = Timeline()

  @Test func `every task has a chosen class`() {
    let unchosen: [DispatchQoS.QoSClass] = [.default, .unspecified]
    let forgotten = DescribedTask.all.filter { unchosen.contains($0.task.qosClass) }
    #expect(
      forgotten.isEmpty,
      """
      \(forgotten.map { "\($0.task)" }.joined(separator: ", ")): .default and .unspecified say \
      that no class was chosen. In qosClass, choose one of the four that say how a person waits: \
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

  @Test func `what no person sees gives way to everything`() {
    judge(tasks: [.backUpLibrary, .recogniseFaces])
  }

  @Test(arguments: AskedFor.allCases) func `each queue has its label`(askedFor: AskedFor) {
    let long = String(repeating: "katas.spec.films.", count: 20)
    let labels =
      ["katas.spec.films", "katas.spec.films.next", "", "", "Fotos für 明日", long]
      + manyTimes("films")
    let borne = askedFor.withQueues(for: .exportAlbum, labels: labels) { $0.map(\.label) }
    let changed = zip(labels, borne).filter { $0 != $1 }.map { "\"\($0)\" became \"\($1)\"" }
    #expect(
      changed.isEmpty,
      """
      The queue must have exactly the label that was asked for, which debuggers and crash reports \
      show. Here \(changed.first ?? "none changed"). Make a new queue for each call: \
      DispatchQueue(label: label, …).
      """)
  }

  @Test(arguments: AskedFor.allCases) func `each call makes a new queue`(askedFor: AskedFor) {
    let labels = manyTimes("katas.spec.films")
    let different = askedFor.withQueues(for: .exportAlbum, labels: labels) { queues in
      Set(queues.map { queue in ObjectIdentifier(queue) }).count
    }
    #expect(
      different == labels.count,
      """
      \(labels.count) calls asked for \(askedFor) and the same label, and got \(different) \
      different queues. Callers that get the same queue wait for each other, or activate each \
      other's queue. Make a new queue for each call.
      """)
  }

  @Test(arguments: AskedFor.allCases) func `the queue has the class of its task`(
    askedFor: AskedFor
  ) {
    let strangers = DescribedTask.all.compactMap { described in
      let task = described.task
      let wanted = Self.classOfQueue(asking: task.qosClass)
      let carried = askedFor.withQueues(for: task, labels: manyTimes("katas.spec.carrier")) {
        $0.map(\.qos.qosClass)
      }
      return carried.first { $0 != wanted }
        .map { "\(task) wants .\(task.qosClass) and its queue has .\($0)" }
    }
    #expect(
      strangers.isEmpty,
      """
      The attributes asked for were \(askedFor). \(strangers.joined(separator: "; ")). A class has \
      no effect until the queue is made with it: DispatchQueue(label: label, qos: …, attributes: \
      …) with DispatchQoS(qosClass: qosClass, relativePriority: 0).
      """)
  }

  @Test func `the queue is serial if nothing else is asked for`() {
    let queue = PhotoTask.exportAlbum.makeQueue(label: "katas.spec.serial")
    submitTwoBlocks(to: queue)
    #expect(
      timeline.orderOfEntry == ["first block"],
      timeline.showing(
        """
        Two blocks were submitted to a queue without attributes, and only the first must be \
        running. A queue is serial unless .concurrent is asked for: it runs one block after \
        another.
        """))
  }

  @Test func `the queue is concurrent if that is asked for`() {
    let queue = PhotoTask.exportAlbum.makeQueue(
      label: "katas.spec.concurrent", attributes: .concurrent)
    submitTwoBlocks(to: queue)
    #expect(
      timeline.overlapped("first block", "second block"),
      timeline.showing(
        """
        A concurrent queue was asked for, but its second block waited for the first. Pass the \
        attributes to the queue: DispatchQueue(label: label, qos: …, attributes: attributes).
        """))
  }

  @Test(arguments: [AskedFor.inactive, .both]) func `the queue is inactive if that is asked for`(
    askedFor: AskedFor
  ) {
    let queue = PhotoTask.backUpLibrary.makeQueue(
      label: "katas.spec.inactive", attributes: askedFor.attributes)
    submitTwoBlocks(to: queue)
    let early = timeline.events.count
    // Always: to release a queue that was never activated crashes the process.
    queue.activate()
    runUntilQuiet()
    #expect(
      early == 0,
      """
      An inactive queue was asked for, which starts nothing until it's activated, but it ran a \
      block at once. Pass all attributes to the queue, not only .concurrent.
      """)
    #expect(
      timeline.isInside("first block"),
      "The queue was activated, but it never ran its first block.")
    #expect(
      timeline.overlapped("first block", "second block") == (askedFor == .both),
      timeline.showing(
        """
        The attributes asked for were \(askedFor), and so many blocks ran at once: \
        \(timeline.largestNumberInside). Pass exactly these attributes to the queue: leave none \
        out, and add none.
        """))
  }

  // MARK: - Fixtures

  /// A label for each of hundreds of queues: as many as an app might make of a kind.
  private func manyTimes(_ label: String) -> [String] { Array(repeating: label, count: 300) }

  /// Submits two blocks, each of which waits once it has begun.
  private func submitTwoBlocks(to queue: DispatchQueue) {
    let release = Gate("release the blocks")
    for block in ["first block", "second block"] {
      queue.async { [timeline] in timeline.visit(block, until: release) }
    }
    runUntilQuiet()
  }

  /// Compares the classes of some tasks with their descriptions.
  private func judge(tasks: [PhotoTask], sourceLocation: SourceLocation = #_sourceLocation) {
    let wrong = DescribedTask.all.filter {
      tasks.contains($0.task) && $0.task.qosClass != $0.qosClass
    }
    #expect(
      wrong.isEmpty, "\(wrong.map(\.objection).joined(separator: "\n\n"))",
      sourceLocation: sourceLocation)
  }

  /// The class that a queue reports if it was made with `qosClass`.
  ///
  /// Not always the same: Dispatch on Linux counts `.userInteractive` as `.userInitiated`.
  private static func classOfQueue(asking qosClass: DispatchQoS.QoSClass) -> DispatchQoS.QoSClass {
    DispatchQueue(
      label: "katas.spec.probe", qos: DispatchQoS(qosClass: qosClass, relativePriority: 0)
    ).qos.qosClass
  }
}
