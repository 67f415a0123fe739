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
  let timeline = Timeline()
  /// What the target has found when it began; empty as long as it hasn't.
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

  /// Makes a chain; `inside` is done inside both of the adapter's closures.
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

  /// What the target has found, in words.
  var found: String {
    switch log.found.value.first {
    case nil: "never begun"
    case .some(nil): "begun with nothing"
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

/// Looks at operations by their names, without keeping them.
typealias InjectionWatch = KeyValuePairs<String, WeakReference<Operation>>

extension InjectionWatch {
  /// The names of those that are still there.
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
      The source has finished, and the target never begins: it waits for the adapter, which has to \
      call finish() on every path.
      """, sourceLocation: sourceLocation
    ) { chain.log.hasBegun }
    // Foundation doesn't keep its dependents while it tells them: nothing may go before it has.
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}
