import Dispatch
import Foundation

/// Tells on which of some dispatch queues code runs.
///
/// ```swift
/// let places = Places(["its queue": queue])
/// session.load { result in seen.append(places.current) }
/// runUntilQuiet()
/// #expect(seen.value == ["its queue"])
/// ```
public final class Places: Sendable, OpaqueMirror {
  private let key = DispatchSpecificKey<String>()

  /// Marks queues with what they're called here.
  ///
  /// Code on a queue that targets a marked one is there, too.
  public init(_ queues: KeyValuePairs<String, DispatchQueue>) {
    for (name, queue) in queues { mark(queue, name) }
  }

  /// Marks a queue with what it's called here.
  public func mark(_ queue: DispatchQueue, _ name: String) {
    queue.setSpecific(key: key, value: name)
  }

  /// What the queue is called that the calling code runs on: "elsewhere" where it isn't marked.
  public var current: String { DispatchQueue.getSpecific(key: key) ?? "elsewhere" }
}
