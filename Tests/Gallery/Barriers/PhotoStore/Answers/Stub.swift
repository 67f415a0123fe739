// Page: make page KATA=PhotoStore (Docs/ConcurrencyKatas.docc/PhotoStore.md)

import Dispatch

/// A photo in a ``PhotoStore``.
public struct Photo: Hashable, Sendable {
  /// The photo's name.
  public let name: String

  /// Creates a photo called `name`.
  public init(_ name: String) {
    self.name = name
  }
}

/// Photos that many threads read at once and that one thread at a time changes.
///
/// - Any number of reads run side by side.
/// - Changes run in the order in which they were submitted, each alone: no read and no other change
///   runs beside it.
/// - `update` and `add` return without waiting for their change, or for what runs before it.
/// - A read blocks until the changes submitted before it are made, and sees every change that its
///   caller has submitted.
/// - After each change `onChange` is called once, with the photos as that change left them, even if
///   it changed nothing.
/// - `onChange` is called on the notice queue; if that queue is serial, in the order of the
///   changes.
/// - Neither reads nor changes wait for a notice, so `onChange` may use the store.
/// - A change is made, and its notice is sent, even if the store is released meanwhile.
/// - Each store begins empty and has photos of its own.
///
/// Your turn. Give the store a private concurrent `DispatchQueue`, and let every access to `stored`
/// go through it: reads with `sync`, so that they may overlap, and changes as barrier blocks
/// (`flags: .barrier`), so that each runs alone. Begin with `update`. It submits its block with
/// `async`; behind the barrier the block changes the photos, copies them, and hands the copy to the
/// notice queue.
///
/// - Warning: ``read(_:)`` and ``photos`` block until the changes before them are made. Called in
///   the closure of ``update(_:)``, or in that of a read while a change waits, they wait for the
///   call that they're part of, which is a deadlock.
public final class PhotoStore: Sendable {
  // Safe: not yet! Nothing protects `stored` so far; that's what this kata is about.
  private nonisolated(unsafe) var stored: [Photo] = []
  private let noticeQueue: DispatchQueue
  private let onChange: @Sendable ([Photo]) -> Void

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - noticeQueue: The queue on which `onChange` is called.
  ///   - onChange: Called with the photos after each change.
  public init(
    noticeQueue: DispatchQueue, onChange: @escaping @Sendable ([Photo]) -> Void
  ) {
    self.noticeQueue = noticeQueue
    self.onChange = onChange
  }

  /// The photos, in the order in which they were added; a read like any other.
  public var photos: [Photo] { read { $0 } }

  /// Calls `body` with the photos and returns its result.
  ///
  /// - `body` runs on the calling thread.
  /// - If `body` throws, the error is rethrown, and the read ends as if `body` had returned.
  public func read<Result>(_ body: ([Photo]) throws -> Result) rethrows -> Result {
    // TODO: Go through the queue: this may overlap with other reads, but not with a change.
    try body(stored)
  }

  /// Adds a photo.
  ///
  /// - The photo becomes the last one, even if the store has an equal one already.
  public func add(_ photo: Photo) {
    update { $0.append(photo) }
  }

  /// Changes the photos in one step: `change` runs on a queue of the store.
  public func update(_ change: @escaping @Sendable (inout [Photo]) -> Void) {
    // TODO: Submit `change` so that it runs alone, then send the notice.
  }
}
