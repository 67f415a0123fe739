// Page: make page KATA=PhotoStore (Docs/ConcurrencyKatas.docc/PhotoStore.md)

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
/// Your turn. Give the store a queue of its own, and let every access to `stored` go through it:
/// reads so that they may overlap, changes so that they are alone. Begin with `update`.
public final class PhotoStore: Sendable {
  // Safe: not yet! Nothing protects `stored` so far; that's what this kata is about.
  private nonisolated(unsafe) var stored: [Photo] = []
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
    // TODO: Read in a way that may overlap with other reads, but not with a change.
    try body(stored)
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
    // TODO: Put `change` in line so that it runs alone, then see to the notice.
  }
}
