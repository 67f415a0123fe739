// Foundation as Apple's SDK declares it: what differs from Linux, as far as this project uses it.
//
// Source: NSObject.h, NSKeyValueObserving.h, NSOperation.h and NSThread.h of the macOS 26 SDK, and
// the Swift overlay's `_KeyValueCodingAndObserving`. Nothing here runs: `.ci/check-darwin` compiles
// the sources against it.
@_exported import Foundation
@_exported import FoundationNetworking

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let new = Self(rawValue: 1)
  public static let old = Self(rawValue: 2)
  public static let initial = Self(rawValue: 4)
  public static let prior = Self(rawValue: 8)
}

public struct NSKeyValueChangeKey: Hashable, Sendable {
  public static let notificationIsPriorKey = NSKeyValueChangeKey()
  public static let newKey = NSKeyValueChangeKey()
}

open class NSObject: Foundation.NSObject {
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}
  open func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {}
  open func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {}
  open func removeObserver(
    _ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {}
  open func willChangeValue(forKey key: String) {}
  open func didChangeValue(forKey key: String) {}
}

public protocol _KeyValueCodingAndObserving {}
extension NSObject: _KeyValueCodingAndObserving {}

// The root of the key path is the receiver's static type.
extension _KeyValueCodingAndObserving {
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {}
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {}
}

open class Operation: NSObject, @unchecked Sendable {  // Safe: nothing in it.
  public typealias QueuePriority = Foundation.Operation.QueuePriority
  open func start() {}
  open func main() {}
  open var isCancelled: Bool { false }
  open func cancel() {}
  open var isExecuting: Bool { false }
  open var isFinished: Bool { false }
  open var isConcurrent: Bool { false }
  open var isAsynchronous: Bool { false }
  open var isReady: Bool { false }
  open func addDependency(_ op: Operation) {}
  open func removeDependency(_ op: Operation) {}
  open var dependencies: [Operation] { [] }
  open var queuePriority: QueuePriority {
    get { .normal }
    set {}
  }
  open var completionBlock: (@Sendable () -> Void)? {
    get { nil }
    set {}
  }
  @available(*, noasync)
  open func waitUntilFinished() {}
  open var qualityOfService: QualityOfService {
    get { .default }
    set {}
  }
  open var name: String? {
    get { nil }
    set {}
  }
}

open class BlockOperation: Operation, @unchecked Sendable {  // Safe: nothing in it.
  // A factory method in Objective-C: a subclass can't call it with `super`.
  public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
  open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {}
  open var executionBlocks: [@Sendable @convention(block) () -> Void] { [] }
}

open class OperationQueue: NSObject, @unchecked Sendable {  // Safe: nothing in it.
  public class var defaultMaxConcurrentOperationCount: Int { -1 }
  open class var current: OperationQueue? { nil }
  open class var main: OperationQueue { OperationQueue() }
  open var progress: Progress { Progress(totalUnitCount: 0) }
  open func addOperation(_ op: Operation) {}
  @available(*, noasync)
  open func addOperations(_ ops: [Operation], waitUntilFinished wait: Bool) {}
  open func addOperation(_ block: @escaping @Sendable () -> Void) {}
  open func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {}
  open var maxConcurrentOperationCount: Int {
    get { 0 }
    set {}
  }
  open var isSuspended: Bool {
    get { false }
    set {}
  }
  open var name: String? {
    get { nil }
    set {}
  }
  open var qualityOfService: QualityOfService {
    get { .default }
    set {}
  }
  open var underlyingQueue: DispatchQueue? {
    get { nil }
    set {}
  }
  open func cancelAllOperations() {}
  @available(*, noasync)
  open func waitUntilAllOperationsAreFinished() {}
  open var operations: [Operation] { [] }
  open var operationCount: Int { 0 }
}

extension URLSession {
  public convenience init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) { self.init(configuration: configuration) }
}

open class Thread: NSObject {
  @available(*, noasync)
  open class var current: Thread { Thread() }
  @available(*, noasync)
  open class var isMainThread: Bool { false }
  open class var main: Thread { Thread() }
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
  @available(*, noasync)
  open class func sleep(forTimeInterval ti: TimeInterval) {}
  @available(*, noasync)
  open class func exit() {}
  public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
  open var threadDictionary: NSMutableDictionary { NSMutableDictionary() }
  open var qualityOfService: QualityOfService {
    get { .default }
    set {}
  }
  open var name: String? {
    get { nil }
    set {}
  }
  open var stackSize: Int {
    get { 0 }
    set {}
  }
  open var isMainThread: Bool { false }
  open var isExecuting: Bool { false }
  open var isFinished: Bool { false }
  open var isCancelled: Bool { false }
  open func cancel() {}
  open func start() {}
  open func main() {}
}

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}
