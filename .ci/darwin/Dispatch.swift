// Dispatch as Apple's SDK declares it: what differs from Linux, as far as this project uses it.
//
// Source: Dispatch.swiftinterface and dispatch/*.h of the macOS 26 SDK. Nothing here runs:
// `.ci/check-darwin` compiles the sources against it.

import Foundation

public final class DispatchSpecificKey<T> {
  public init() {}
}
extension DispatchSpecificKey: Sendable where T: Sendable {}

open class DispatchObject: @unchecked Sendable {  // Safe: nothing in it.
  public func activate() {}
  public func resume() {}
  public func suspend() {}
}

public final class DispatchQueue: DispatchObject, @unchecked Sendable {  // Safe: nothing in it.
  public typealias Attributes = Dispatch.DispatchQueue.Attributes
  public typealias AutoreleaseFrequency = Dispatch.DispatchQueue.AutoreleaseFrequency

  public class var main: DispatchQueue { never() }
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { never() }
  @preconcurrency
  public class func concurrentPerform(iterations: Int, execute work: @Sendable (Int) -> Void) {}
  @preconcurrency
  public class func getSpecific<T: Sendable>(key: DispatchSpecificKey<T>) -> T? { nil }

  public init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
  ) {}

  public var label: String { "" }
  public var qos: DispatchQoS { .unspecified }
  public func setTarget(queue: DispatchQueue?) {}

  @preconcurrency
  public func getSpecific<T: Sendable>(key: DispatchSpecificKey<T>) -> T? { nil }
  @preconcurrency
  public func setSpecific<T: Sendable>(key: DispatchSpecificKey<T>, value: T?) {}

  public func sync(execute workItem: DispatchWorkItem) {}
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
  public func sync<T>(flags: DispatchWorkItemFlags, execute work: () throws -> T) rethrows -> T {
    try work()
  }
  public func asyncAndWait(execute workItem: DispatchWorkItem) {}
  public func asyncAndWait<T>(execute work: () throws -> T) rethrows -> T { try work() }
  public func async(execute workItem: DispatchWorkItem) {}
  public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {}
  @preconcurrency
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {}
  @preconcurrency
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
}

public class DispatchWorkItem {
  public init(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    block: @escaping @convention(block) () -> Void
  ) {}
  public func perform() {}
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { never() }
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
    execute: @escaping @convention(block) () -> Void
  ) {}
  public func notify(queue: DispatchQueue, execute: DispatchWorkItem) {}
  public func cancel() {}
  public var isCancelled: Bool { false }
}

public final class DispatchGroup: DispatchObject, @unchecked Sendable {  // Safe: nothing in it.
  public override init() {}
  public func enter() {}
  public func leave() {}
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
    execute work: @escaping @convention(block) () -> Void
  ) {}
  public func notify(queue: DispatchQueue, work: DispatchWorkItem) {}
  @available(*, noasync)
  public func wait() {}
  @available(*, noasync)
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { never() }
}

public final class DispatchSemaphore: DispatchObject, @unchecked Sendable {  // Safe: nothing in it.
  public init(value: Int) {}
  @discardableResult
  public func signal() -> Int { 0 }
  @available(*, noasync)
  public func wait() {}
  @available(*, noasync)
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { never() }
}

public enum DispatchPredicate: Sendable {
  case onQueue(DispatchQueue)
  case onQueueAsBarrier(DispatchQueue)
  case notOnQueue(DispatchQueue)
}

public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {}

// On Linux these protocols and classes aren't Sendable; Apple's are.
public protocol DispatchSourceProtocol: AnyObject, Sendable {}
public protocol DispatchSourceTimer: DispatchSourceProtocol {}
public protocol DispatchSourceSignal: DispatchSourceProtocol {}

extension DispatchSourceProtocol {
  public typealias DispatchSourceHandler = @convention(block) () -> Void
  public func setEventHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: DispatchSourceHandler?
  ) {}
  public func setEventHandler(handler: DispatchWorkItem) {}
  public func setCancelHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: DispatchSourceHandler?
  ) {}
  public func activate() {}
  public func cancel() {}
  public func resume() {}
  public func suspend() {}
  public var isCancelled: Bool { false }
}

extension DispatchSourceTimer {
  public func schedule(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {}
  public func schedule(
    deadline: DispatchTime, repeating interval: Double,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {}
}

public final class DispatchSource: DispatchObject, @unchecked Sendable {  // Safe: nothing in it.
  public struct TimerFlags: OptionSet {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public class func makeTimerSource(
    flags: TimerFlags = [], queue: DispatchQueue? = nil
  ) -> any DispatchSourceTimer { never() }
  public class func makeSignalSource(
    signal: Int32, queue: DispatchQueue? = nil
  ) -> any DispatchSourceSignal { never() }
}

private func never() -> Never { fatalError("These declarations are only compiled against.") }
