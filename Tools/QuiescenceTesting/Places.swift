import Dispatch
import Foundation

/// Tells which of some dispatch queues code runs on.
///
/// ```swift
/// let places = Places(["its queue": queue])
/// session.load { result in seen.append(places.current) }
/// runUntilQuiet()
/// #expect(seen.value == ["its queue"])
/// ```
public final class Places: Sendable, OpaqueMirror {
  private let key = DispatchSpecificKey<String>()

  /// Marks queues with the names that this object reports.
  ///
  /// Code on a queue that targets a marked queue is on that one too.
  public init(_ queues: KeyValuePairs<String, DispatchQueue>) {
    for (name, queue) in queues { mark(queue, name) }
  }

  /// Marks a queue with the name that this object reports.
  public func mark(_ queue: DispatchQueue, _ name: String) {
    queue.setSpecific(key: key, value: name)
  }

  /// The name of the queue that the calling code runs on, or "elsewhere" if the queue isn't marked.
  public var current: String { DispatchQueue.getSpecific(key: key) ?? "elsewhere" }
}
