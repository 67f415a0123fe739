import Dispatch

/// The classes in a table, and queues that target the system's queue of their class.
public enum PhotoTask: CaseIterable, Sendable {
  case exportAlbum, openTappedPhoto, turnWithFingers, backUpLibrary,
    downloadAlbum, previewFilter, searchForWord, recogniseFaces

  private static let classes: [PhotoTask: DispatchQoS.QoSClass] = [
    .turnWithFingers: .userInteractive, .previewFilter: .userInteractive,
    .openTappedPhoto: .userInitiated, .searchForWord: .userInitiated,
    .exportAlbum: .utility, .downloadAlbum: .utility,
    .backUpLibrary: .background, .recogniseFaces: .background,
  ]

  public var qosClass: DispatchQoS.QoSClass { Self.classes[self] ?? .background }

  public func makeQueue(
    label: String, attributes: DispatchQueue.Attributes = []
  ) -> DispatchQueue {
    DispatchQueue(
      label: label, qos: DispatchQoS(qosClass: qosClass, relativePriority: 0),
      attributes: attributes, target: .global(qos: qosClass))
  }
}
