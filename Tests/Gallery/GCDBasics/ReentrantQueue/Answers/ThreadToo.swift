import Dispatch
import Foundation

/// Stores the threads inside as well, so that a.sync { b.sync { a.sync { … } } } works too.
public final class ReentrantQueue: Sendable {
  public let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  public init(label: String, target: DispatchQueue? = nil) {
    queue = DispatchQueue(label: label, target: target)
    queue.setSpecific(key: key, value: true)
  }

  deinit { queue.setSpecific(key: key, value: nil) }

  public var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isCurrent || Thread.current.threadDictionary[name] != nil { return try body() }
    return try queue.sync {
      Thread.current.threadDictionary[name] = true
      defer { Thread.current.threadDictionary[name] = nil }
      return try body()
    }
  }

  private var name: String { "katas.inside.\(ObjectIdentifier(self))" }
}
