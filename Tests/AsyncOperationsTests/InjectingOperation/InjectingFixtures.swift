import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// What goes wrong in a source, to be recognised in its target.
struct InjectionFault: Error, Equatable {
  let number: Int
}

/// An operation that ends with the outcome that it is given.
// Safe: the variable is written in `main()` and read after the end; no lock shall order the two.
final class InjectionSource: Operation, @unchecked Sendable {
  private let ending: Result<Int, any Error>?
  private let isCancelledInMain: Bool
  private(set) var outcome: Result<Int, any Error>?

  init(_ ending: Result<Int, any Error>?, isCancelledInMain: Bool = false) {
    self.ending = ending
    self.isCancelledInMain = isCancelledInMain
  }

  override func main() {
    if isCancelledInMain { cancel() }
    outcome = ending
  }
}

/// An operation that notes what it finds when it begins.
// Safe: `input` is written before the start and read in `main()`; no lock shall order the two.
final class InjectionTarget: Operation, @unchecked Sendable {
  let log: InjectionLog
  var input: Result<Int, any Error>?

  init(_ log: InjectionLog) {
    self.log = log
  }

  override func main() { log.begin(with: input) }
}

/// What an adapter has done so far, and what its target has found.
final class InjectionLog: Sendable, OpaqueMirror {
  let readings = Counter()
  let injections = Counter()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var found: [Result<Int, any Error>?] = []
  private let lock = NSLock()

  func begin(with input: Result<Int, any Error>?) { lock.withLock { found.append(input) } }

  /// What the target has found when it began; empty as long as it hasn't.
  var beginnings: [Result<Int, any Error>?] { lock.withLock { found } }

  var hasBegun: Bool { !beginnings.isEmpty }
}

/// A source, its target, and the adapter between them.
final class InjectionChain: Sendable, OpaqueMirror {
  let log = InjectionLog()
  let source: InjectionSource
  let adapter: InjectingOperation<Int>
  let target: InjectionTarget

  init(
    _ ending: Result<Int, any Error>?, isCancelledInMain: Bool = false,
    on queue: DispatchQueue = .global()
  ) {
    let log = log
    source = InjectionSource(ending, isCancelledInMain: isCancelledInMain)
    target = InjectionTarget(log)
    adapter = InjectingOperation(
      from: source,
      {
        log.readings.increment()
        return $0.outcome
      },
      into: target, on: queue,
      {
        log.injections.increment()
        $0.input = $1
      })
  }

  /// What the target has found, in words.
  var found: String {
    switch log.beginnings.first {
    case nil: "never begun"
    case .some(nil): "begun with nothing"
    case .success(let value)??: "begun with \(value)"
    case .failure(let error)??: "begun with the error \(error)"
    }
  }

  /// The value that the target has found.
  var value: Int? { try? log.beginnings.first??.get() }

  /// The error that the target has found.
  var error: (any Error)? {
    if case .failure(let error)?? = log.beginnings.first { error } else { nil }
  }
}

/// In how many queues a chain runs.
enum InjectionQueues: Sendable {
  case one, three
}

/// Looks at the operations of a chain without keeping them.
struct InjectionWatch {
  private(set) weak var source: InjectionSource?
  private(set) weak var adapter: InjectingOperation<Int>?
  private(set) weak var target: InjectionTarget?

  init(_ chain: InjectionChain) {
    (source, adapter, target) = (chain.source, chain.adapter, chain.target)
  }

  /// The names of those that are still there.
  var remaining: [String] {
    [
      source.map { _ in "source" }, adapter.map { _ in "adapter" }, target.map { _ in "target" },
    ].compactMap(\.self)
  }
}

/// An adapter for its own closures to cancel.
final class AdapterOwner: Sendable, OpaqueMirror {
  // Safe: set once, before the adapter starts.
  nonisolated(unsafe) weak var adapter: InjectingOperation<Int>?
}

/// Looks at a target without keeping it.
struct TargetWatch {
  private weak var target: InjectionTarget?

  init(_ target: InjectionTarget) { self.target = target }

  var isGone: Bool { target == nil }
}

// MARK: - Moves

extension InjectingOperationTests {
  /// Runs a chain, all of it in one queue, the target first.
  func run(_ chain: InjectionChain) {
    let queue = OperationQueue()
    queue.addOperations([chain.target, chain.adapter, chain.source], waitUntilFinished: false)
  }

  func expectBegun(
    _ chain: InjectionChain, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually(
      """
      The source has finished, and the target never begins: it waits for the adapter, which has to \
      call finish() on every path.
      """, sourceLocation: sourceLocation
    ) { chain.log.hasBegun }
    // Foundation doesn't keep its dependents while it tells them: nothing may go before it has.
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}
