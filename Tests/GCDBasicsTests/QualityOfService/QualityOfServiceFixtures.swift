import Dispatch

/// A task, its class, and why.
struct DescribedTask: Sendable {
  let task: PhotoTask
  let qosClass: DispatchQoS.QoSClass
  /// What the task's description says about how a person waits.
  let who: String

  static let all = [
    DescribedTask(
      task: .exportAlbum, qosClass: .utility,
      who: "the person has started it, follows a bar for minutes, and does other things meanwhile"),
    DescribedTask(
      task: .openTappedPhoto, qosClass: .userInitiated,
      who: "the person has tapped, and waits half a second in front of an empty screen"),
    DescribedTask(
      task: .turnWithFingers, qosClass: .userInteractive,
      who: "the photo turns while the fingers move, and a frame that comes late is seen"),
    DescribedTask(
      task: .backUpLibrary, qosClass: .background,
      who: "the app does it by itself at night, for hours, and shows nothing of it"),
    DescribedTask(
      task: .downloadAlbum, qosClass: .utility,
      who: "the person sees the photos come in, and may leave and come back"),
    DescribedTask(
      task: .previewFilter, qosClass: .userInteractive,
      who: "the picture changes while the slider moves, from one frame to the next"),
    DescribedTask(
      task: .searchForWord, qosClass: .userInitiated,
      who: "the person has asked, and looks at an empty list for the second that it takes"),
    DescribedTask(
      task: .recogniseFaces, qosClass: .background,
      who: "no person has asked for it, and none sees it"),
  ]

  /// What is wrong with the class that the answer has chosen.
  var objection: String {
    let chosen = task.qosClass
    return """
      \(task) has .\(chosen), which says that \(Self.meaning[chosen] ?? "no class was chosen"). \
      But \(who).
      """
  }

  /// What a class says about its work.
  private static let meaning: [DispatchQoS.QoSClass: String] = [
    .userInteractive: "it's part of a movement and must be there on the next frame",
    .userInitiated: "a person has asked for it and can't go on until it's there",
    .utility: "a person watches it go on and doesn't wait for it",
    .background: "no person sees it and it may be put off for hours",
  ]
}

/// The attributes that a queue can be asked for.
enum AskedFor: CaseIterable, Sendable {
  case nothing, concurrent, inactive, both

  var attributes: DispatchQueue.Attributes {
    switch self {
    case .nothing: []
    case .concurrent: .concurrent
    case .inactive: .initiallyInactive
    case .both: [.concurrent, .initiallyInactive]
    }
  }

  /// Makes a queue for each label, passes them to `look`, and releases them.
  func withQueues<Result>(
    for task: PhotoTask, labels: [String], _ look: ([DispatchQueue]) throws -> Result
  ) rethrows -> Result {
    let queues = labels.map { label in task.makeQueue(label: label, attributes: attributes) }
    // Always: to release a queue that was never activated crashes the process.
    defer { for queue in queues { queue.activate() } }
    return try look(queues)
  }
}
