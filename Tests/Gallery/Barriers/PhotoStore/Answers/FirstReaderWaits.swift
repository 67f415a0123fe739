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

/// The first reader waits for the changes and acquires the photos; the last one releases them.
public final class PhotoStore: Sendable {
  // Safe: touched only while `resource` is held: by a change, or by the readers together.
  private nonisolated(unsafe) var stored: [Photo] = []
  // Safe: guarded by `door`.
  private nonisolated(unsafe) var readers = 0
  private let door = DispatchSemaphore(value: 1)
  private let resource = DispatchSemaphore(value: 1)
  /// Runs the changes one at a time.
  private let line = DispatchQueue(label: "katas.answers.photo-store.line")
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
    enter()
    defer { leave() }
    return try body(stored)
  }

  private func enter() {
    door.wait()
    readers += 1
    if readers == 1 {
      // Waits for the changes before this read.
      line.sync {}
      resource.wait()
    }
    door.signal()
  }

  private func leave() {
    door.wait()
    readers -= 1
    if readers == 0 { resource.signal() }
    door.signal()
  }

  public func add(_ photo: Photo) {
    update { $0.append(photo) }
  }

  public func update(_ change: @escaping @Sendable (inout [Photo]) -> Void) {
    line.async { [self] in
      resource.wait()
      change(&stored)
      let photos = stored
      resource.signal()
      noticeQueue.async { [onChange] in onChange(photos) }
    }
  }
}
