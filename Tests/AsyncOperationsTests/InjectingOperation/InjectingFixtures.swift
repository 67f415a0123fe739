import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// An error of a source, to be recognised in its target.
struct InjectionFault: Error, Equatable {
  let number: Int
}

/// An operation that ends with the given outcome.
// Safe: the variable is written in `main()` and read after the end; no lock may order the two.
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

/// An operation that records its input when it begins.
// Safe: `input` is written before the start and read in `main()`; no lock may order the two.
final class InjectionTarget: Operation, @unchecked Sendable {
  let log: InjectionLog
  var input: Result<Int, any Error>?

  init(_ log: InjectionLog) {
    self.log = log
  }

  override func main() { log.begin(with: input) }
}

/// The events of an adapter, and the input that its target has found.
final class InjectionLog: Sendable, OpaqueMirror {
  let timeline = Timeline()
  /// The input that the target found when it began; empty until then.
  let found = LockedValue<[Result<Int, any Error>?]>([])

  func begin(with input: Result<Int, any Error>?) {
    found.append(input)
    timeline.mark("target", "begins")
  }

  /// How often the adapter has read.
  var readings: Int { timeline.events.count { $0.kind == .mark("output") } }

  /// How often the adapter has injected.
  var injections: Int { timeline.events.count { $0.kind == .mark("inject") } }

  var hasBegun: Bool { !found.value.isEmpty }
}

/// A source, its target, and the adapter between them.
final class InjectionChain: Sendable, OpaqueMirror {
  let log = InjectionLog()
  let source: InjectionSource
  let adapter: InjectingOperation<Int>
  let target: InjectionTarget

  /// Makes a chain; `inside` is called inside both of the adapter's closures.
  init(
    _ ending: Result<Int, any Error>?, isCancelledInMain: Bool = false,
    on queue: DispatchQueue = .global(), inside: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    source = InjectionSource(ending, isCancelledInMain: isCancelledInMain)
    target = InjectionTarget(log)
    adapter = InjectingOperation(
      from: source,
      { [log] in
        log.timeline.mark("adapter", "output")
        inside("output")
        return $0.outcome
      },
      into: target, on: queue,
      { [log] in
        log.timeline.mark("adapter", "inject")
        inside("inject")
        $0.input = $1
      })
  }

  func watch() -> InjectionWatch {
    [
      "source": WeakReference(source), "adapter": WeakReference(adapter),
      "target": WeakReference(target),
    ]
  }

  /// The input that the target has found, in words.
  var found: String {
    switch log.found.value.first {
    case nil: "never begun"
    case .some(nil): "begun without an outcome"
    case .success(let value)??: "begun with \(value)"
    case .failure(let error)??: "begun with the error \(error)"
    }
  }

  /// The value that the target has found.
  var value: Int? { try? log.found.value.first??.get() }

  /// The error that the target has found.
  var error: (any Error)? {
    if case .failure(let error)?? = log.found.value.first { error } else { nil }
  }
}

/// Watches operations by their names, without retaining them.
typealias InjectionWatch = KeyValuePairs<String, WeakReference<Operation>>

extension InjectionWatch {
  /// The names of the operations that are still in memory.
  var remaining: [String] { filter { !$0.value.isGone }.map(\.key) }
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
      The source has finished, but the target never begins: it waits for the adapter, which must \
      call finish() on every path.
      """, sourceLocation: sourceLocation
    ) { chain.log.hasBegun }
    // On Linux an operation doesn't retain its dependents: none may be freed before it has
    // notified them.
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}
