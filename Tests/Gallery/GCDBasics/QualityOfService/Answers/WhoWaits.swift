import Dispatch

/// Two questions about each task, and a quality of service below the top of its class.
public enum PhotoTask: CaseIterable, Sendable {
  case exportAlbum, openTappedPhoto, turnWithFingers, backUpLibrary,
    downloadAlbum, previewFilter, searchForWord, recogniseFaces

  private var isPartOfAMovement: Bool { self == .turnWithFingers || self == .previewFilter }
  private var isSeen: Bool { self != .backUpLibrary && self != .recogniseFaces }
  private var isWaitedFor: Bool { isSeen && self != .exportAlbum && self != .downloadAlbum }

  private var qos: DispatchQoS {
    if isPartOfAMovement { return .userInteractive }
    if isWaitedFor { return .userInitiated }
    return isSeen ? .utility : .background
  }

  public var qosClass: DispatchQoS.QoSClass { qos.qosClass }

  public func makeQueue(
    label: String, attributes: DispatchQueue.Attributes = []
  ) -> DispatchQueue {
    let below = DispatchQoS(qosClass: qosClass, relativePriority: -1)
    if attributes.isEmpty { return DispatchQueue(label: label, qos: below) }
    return DispatchQueue(label: label, qos: below, attributes: attributes)
  }
}
