import Dispatch
import Foundation

/// Uploads files one at a time, in the order in which they were added, and tries again what has failed.
public final class UploadQueue: Sendable {
  /// Uploads a file, and tells whether it has arrived.
  ///
  /// Called on a queue of this object's; may block.
  public typealias Upload = @Sendable (_ file: String) -> Bool

  /// Calls a closure after so many seconds, on any thread.
  public typealias Schedule =
    @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> Void

  /// How long a file that hasn't arrived waits for its next turn, in seconds.
  public static let pause: TimeInterval = 30

  private let queue = DispatchQueue(label: "com.example.uploads")
  private let upload: Upload
  private let schedule: Schedule

  /// Creates a queue without files.
  public init(
    schedule: @escaping Schedule = { seconds, action in
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: action)
    }, upload: @escaping Upload
  ) {
    self.schedule = schedule
    self.upload = upload
  }

  /// Adds a file; returns at once.
  public func add(_ file: String) {
    queue.async { [self] in
      guard !upload(file) else { return }
      schedule(Self.pause) { self.add(file) }
    }
  }
}
