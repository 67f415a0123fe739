// Page: make page KATA=QualityOfService (Docs/ConcurrencyKatas.docc/QualityOfService.md)

import Dispatch

/// A task of a photo app, and how urgent it is.
///
/// The quality of service says how urgent a task is, which depends on how a person waits for it.
///
/// - A task that is part of a movement, and must be done by the next frame, has the class
///   `.userInteractive`.
/// - A task that a person has asked for, and without which the person can't go on, has the class
///   `.userInitiated`.
/// - A task that a person knows of and may watch, but doesn't wait for, has the class `.utility`.
/// - A task that no person sees, and that may be put off for hours to save energy, has the class
///   `.background`.
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

  /// How urgent the task is.
  ///
  /// `.default` means that no class was chosen, and `.unspecified` leaves the choice to the code
  /// that submits the work.
  ///
  /// - `qosClass` is always one of these four classes, never `.default` or `.unspecified`.
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

  /// Makes a queue for work of this kind.
  ///
  /// On Linux Dispatch has one class for both of the upper two, and such a queue says
  /// `.userInitiated`.
  ///
  /// - Each call makes a new queue.
  /// - The queue's label is `label`, unchanged.
  /// - The queue's `qos` has the task's class, whatever the attributes are.
  /// - The queue has exactly the attributes that were asked for: it is serial without
  ///   `.concurrent`, and active without `.initiallyInactive`.
  ///
  /// - Parameters:
  ///   - label: The queue's name, for debuggers and crash reports; in reverse DNS by custom.
  ///   - attributes: None, `.concurrent`, `.initiallyInactive`, or both.
  /// - Returns: The queue. The caller must activate an inactive one before releasing it.
  public func makeQueue(
    label: String, attributes: DispatchQueue.Attributes = []
  ) -> DispatchQueue {
    // TODO: Give the queue its label, the task's class and the attributes.
    DispatchQueue(label: "nameless")
  }
}
