import Dispatch

private let marks = DispatchSpecificKey<Set<ObjectIdentifier>>()

/// One key for all; under it, each queue stores its own mark and those of its target.
public final class ReentrantQueue: Sendable {
  public let queue: DispatchQueue

  public init(label: String, target: DispatchQueue? = nil) {
    queue = DispatchQueue(label: label, target: target)
    let inherited = target?.getSpecific(key: marks) ?? []
    queue.setSpecific(key: marks, value: inherited.union([ObjectIdentifier(queue)]))
  }

  public var isCurrent: Bool {
    DispatchQueue.getSpecific(key: marks)?.contains(ObjectIdentifier(queue)) == true
  }

  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isCurrent { return try body() }
    return try queue.sync(execute: body)
  }
}
