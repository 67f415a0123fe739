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

/// Readers enter a group on a serial queue, and read on their own threads.
///
/// A change waits, on that queue, until the group is empty; meanwhile no reader can enter it.
public final class PhotoStore: Sendable {
  // Safe: changed on `line` only, while `readers` is empty; read between entering and leaving it.
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
