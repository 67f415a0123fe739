// Page: make page KATA=QualityOfService (Docs/ConcurrencyKatas.docc/QualityOfService.md)

import Dispatch

/// Something that a photo app does, told by who waits for it.
///
/// The quality of service says how urgent work is by who waits for it:
///
/// - `.userInteractive`: it's part of a movement, and must be there on the next frame.
/// - `.userInitiated`: a person has asked for it, and can't go on until it's there.
/// - `.utility`: a person knows of it and may watch it go on, but doesn't wait for it.
/// - `.background`: nobody sees it; it may be put off for hours to save energy.
///
/// Your turn, twice. Read what each task is about, and choose its class in `qosClass`. Then let
/// `makeQueue` make the queue that carries it: `DispatchQueue(label:qos:attributes:)` takes a
/// `DispatchQoS`, which is made of a class: `DispatchQoS(qosClass: qosClass, relativePriority: 0)`.
public enum PhotoTask: CaseIterable, Sendable {
  /// Make a film of an album.
  ///
  /// The person has started it with a button and goes on with other photos. It takes minutes; a bar
  /// shows how far it is.
  case exportAlbum

  /// Decode the photo that was tapped just now.
  ///
  /// It takes half a second, and there is nothing on the screen until it's done.
  case openTappedPhoto

  /// Turn the photo with the two fingers that hold it.
  ///
  /// Whatever comes a frame late is seen as a stutter.
  case turnWithFingers

  /// Copy the library to the backup.
  ///
  /// The app does it by itself, each night. It takes hours, and shows nothing.
  case backUpLibrary

  /// Fetch the photos of an album that somebody has shared.
  ///
  /// They appear one after another, in a list that the person may look at or leave. A badge counts.
  case downloadAlbum

  /// Draw the photo as a filter makes it, while the filter's slider is being moved.
  ///
  /// Each step of the slider wants its own picture, on the very next frame.
  case previewFilter

  /// Find the photos for the word that was entered.
  ///
  /// It takes a second. The person looks at an empty list until then.
  case searchForWord

  /// Recognise the faces in all photos, so that a search finds them some day.
  ///
  /// Nobody has asked for it, and nobody sees it.
  case recogniseFaces

  /// How urgent the task is: one of the four classes that say who waits.
  ///
  /// Never `.default`, which says that nobody has thought about it, nor `.unspecified`, which leaves
  /// it to whoever submits the work.
  public var qosClass: DispatchQoS.QoSClass {
    // TODO: Nobody has thought about these yet.
    switch self {
    case .exportAlbum: .default
    case .openTappedPhoto: .default
    case .turnWithFingers: .default
    case .backUpLibrary: .default
    case .downloadAlbum: .default
    case .previewFilter: .default
    case .searchForWord: .default
    case .recogniseFaces: .default
    }
  }

  /// Makes a queue for work of this kind, on each call a new one.
  ///
  /// Its `qos` has the task's class, whatever the attributes are. On Linux Dispatch has one class for
  /// both of the upper two, and such a queue says `.userInitiated`.
  ///
  /// - Parameters:
  ///   - label: The queue's name, for debuggers and crash reports; in reverse DNS by custom.
  ///   - attributes: What the queue is like: serial and active where nothing is asked,
  ///     `.concurrent`, `.initiallyInactive`, or both.
  /// - Returns: The queue. One that is inactive must be activated before it's let go.
  public func makeQueue(
    label: String, attributes: DispatchQueue.Attributes = []
  ) -> DispatchQueue {
    // TODO: Give the queue its label, the task's class and the attributes.
    DispatchQueue(label: "nameless")
  }
}
