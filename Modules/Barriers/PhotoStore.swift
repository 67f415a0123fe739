import Dispatch

/// A photo in a ``PhotoStore``.
public struct Photo: Hashable, Sendable {
  /// What the photo is called.
  public let name: String

  /// Creates a photo called `name`.
  public init(_ name: String) {
    self.name = name
  }
}

/// Photos that many threads read at once and one at a time changes: a readers–writers store.
///
/// - Any number of reads run side by side.
/// - A change runs alone: no read and no other change beside it.
/// - `update` and `add` put a change in line and return at once.
/// - A read that the same caller asks for later sees the change.
/// - After each change, `onChange` is called on the notice queue.
/// - A change that was put in line is made, and its notice comes, even if nobody keeps the store.
/// - Neither reads nor changes wait for a notice, so `onChange` may use the store.
///
/// ```swift
/// let store = PhotoStore(noticeQueue: .main) { photos in title = "\(photos.count) photos" }
/// store.add(Photo("Dawn"))
/// store.photos  // contains Dawn
/// ```
///
/// Safe to use from every thread.
///
/// - Warning: ``read(_:)`` and ``photos`` block until the changes before them are done. Called from
///   within ``update(_:)``'s closure they wait for themselves, which is a deadlock.
///
/// Source: the readers–writers problem, Courtois, Heymans and Parnas, 1971; Dispatch's barriers.
public final class PhotoStore: Sendable {
  // Safe: `stored` is touched on `queue` only, and changed there only behind a barrier.
  private nonisolated(unsafe) var stored: [Photo] = []
  private let queue = DispatchQueue(label: "katas.barriers.photo-store", attributes: .concurrent)
  private let noticeQueue: DispatchQueue
  private let onChange: @Sendable ([Photo]) -> Void

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - noticeQueue: The queue on which `onChange` is called.
  ///   - onChange: Called once after each change, even one that changes nothing, with the photos as
  ///     that change left them; on a serial queue in the order of the changes.
  public init(
    noticeQueue: DispatchQueue, onChange: @escaping @Sendable ([Photo]) -> Void
  ) {
    self.noticeQueue = noticeQueue
    self.onChange = onChange
  }

  /// The photos, in the order of their adding.
  ///
  /// Blocks until the changes before it are done.
  public var photos: [Photo] { read { $0 } }

  /// Calls `body` with the photos and returns its result.
  ///
  /// `body` runs on the calling thread, side by side with other reads, and never beside a change.
  /// Blocks until the changes before it are done. Rethrows what `body` throws; the read is over then,
  /// as when it returns.
  public func read<Result>(_ body: ([Photo]) throws -> Result) rethrows -> Result {
    try queue.sync { try body(stored) }
  }

  /// Adds `photo` at the end.
  ///
  /// Returns at once; the photo is added behind the changes before it.
  public func add(_ photo: Photo) {
    update { $0.append(photo) }
  }

  /// Changes the photos in one step.
  ///
  /// Returns at once.
  ///
  /// `change` runs on a queue of the store, alone: no read and no other change runs beside it.
  public func update(_ change: @escaping @Sendable (inout [Photo]) -> Void) {
    queue.async(flags: .barrier) { [self] in
      change(&stored)
      let photos = stored
      noticeQueue.async { [onChange] in onChange(photos) }
    }
  }
}
