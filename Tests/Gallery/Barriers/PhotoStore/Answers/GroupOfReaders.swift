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

/// A serial queue is the line; readers sign a group there and read beside it.
///
/// A change waits, in the line, until the group is empty, and nobody can sign it meanwhile.
public final class PhotoStore: Sendable {
  // Safe: changed on `line` only, when `readers` is empty, and read between signing and leaving that.
  private nonisolated(unsafe) var stored: [Photo] = []
  private let line = DispatchQueue(label: "katas.answers.photo-store.line")
  private let readers = DispatchGroup()
  private let noticeQueue: DispatchQueue
  private let onChange: @Sendable ([Photo]) -> Void

  public init(
    noticeQueue: DispatchQueue, onChange: @escaping @Sendable ([Photo]) -> Void
  ) {
    self.noticeQueue = noticeQueue
    self.onChange = onChange
  }

  public var photos: [Photo] { read { $0 } }

  public func read<Result>(_ body: ([Photo]) throws -> Result) rethrows -> Result {
    line.sync { readers.enter() }
    defer { readers.leave() }
    return try body(stored)
  }

  public func add(_ photo: Photo) {
    update { $0.append(photo) }
  }

  public func update(_ change: @escaping @Sendable (inout [Photo]) -> Void) {
    line.async { [self] in
      readers.wait()
      change(&stored)
      noticeQueue.async { [onChange, stored] in onChange(stored) }
    }
  }
}
