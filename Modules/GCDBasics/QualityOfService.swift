import Dispatch

/// A task of a photo app, and how urgent it is.
///
/// The quality of service says how urgent a task is, which depends on how a person waits for it.
///
/// - A task that is part of a gesture or an animation, and must be done by the next frame, has the
///   class `.userInteractive`.
/// - A task that a person has asked for, and without which the person can't go on, has the class
///   `.userInitiated`.
/// - A task that a person knows of and may watch, but doesn't wait for, has the class `.utility`.
/// - A task that no person sees, and that may be put off for hours to save energy, has the class
///   `.background`.
///
/// Apple's platforms allot cores, disk and energy accordingly: higher classes run first, and lower
/// ones give way. On Linux a class is at most a nice value of its threads.
///
/// ```swift
/// let queue = PhotoTask.exportAlbum.makeQueue(label: "photos.export")
/// queue.async { album.export() }  // gives way to work that a person waits for
/// ```
///
/// Source: the classes as Apple's *Energy Efficiency Guide* describes them, "Prioritize Work with
/// Quality of Service Classes".
public enum PhotoTask: CaseIterable, Sendable {
  /// Make a video of an album.
  ///
  /// The person has started it with a button and goes on with other photos. It takes minutes, and
  /// a progress bar shows how far it is.
  case exportAlbum

  /// Decode the photo that was tapped just now.
  ///
  /// It takes half a second, and there is nothing on the screen until it's done.
  case openTappedPhoto

  /// Turn the photo with the two fingers that hold it.
  ///
  /// A frame that is late is seen as a stutter.
  case turnWithFingers

  /// Copy the library to the backup.
  ///
  /// The app does it by itself, every night. It takes hours, and shows nothing.
  case backUpLibrary

  /// Fetch the photos of an album that a friend has shared.
  ///
  /// They appear one after another, in a list that the person may look at or leave. A badge counts
  /// them.
  case downloadAlbum

  /// Draw the photo with a filter, while the filter's slider is being moved.
  ///
  /// Each position of the slider has to be shown by the very next frame.
  case previewFilter

  /// Find the photos for the word that was entered.
  ///
  /// It takes a second. Until then the person looks at an empty list.
  case searchForWord

  /// Recognise the faces in all photos, so that a later search can find them.
  ///
  /// The person hasn't asked for it, and doesn't see it.
  case recogniseFaces

  /// How urgent the task is.
  ///
  /// `.default` is the class of work for which none was chosen, and `.unspecified` is the absence
  /// of a class.
  ///
  /// - `qosClass` is `.userInteractive`, `.userInitiated`, `.utility` or `.background`, never
  ///   `.default` or `.unspecified`.
  public var qosClass: DispatchQoS.QoSClass {
    switch self {
    case .turnWithFingers, .previewFilter: .userInteractive
    case .openTappedPhoto, .searchForWord: .userInitiated
    case .exportAlbum, .downloadAlbum: .utility
    case .backUpLibrary, .recogniseFaces: .background
    }
  }

  /// Makes a queue for work of this kind.
  ///
  /// On Linux Dispatch treats `.userInteractive` as `.userInitiated`, and the `qos` of a queue
  /// with either class says `.userInitiated`.
  ///
  /// - Each call makes a new queue.
  /// - The queue's label is `label`, unchanged.
  /// - The queue is made with the task's class as its `qos`, whatever the attributes are.
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
    let qos = DispatchQoS(qosClass: qosClass, relativePriority: 0)
    return DispatchQueue(label: label, qos: qos, attributes: attributes)
  }
}
