import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// Proves that the target gets the source's outcome, or an error if there is none, before it
/// starts.
///
/// No thread waits meanwhile, an adapter that is cancelled in time moves nothing, and no operation
/// is retained.
@Suite(.serialized, .kata) struct InjectingOperationTests {
  let held = HeldWorkerQueue()

  // MARK: - After the source, before the target

  @Test func `it moves the value of the source into the target`() throws {
    let chain = InjectionChain(.success(42))
    run(chain)
    expectBegun(chain)
    #expect(
      chain.value == 42,
      """
      The source ended with 42, but the target has \(chain.found). The adapter must depend on the \
      source, and the target on the adapter; in between, it reads the outcome and injects it.
      """)
  }

  @Test(arguments: [InjectionQueues.one, .three])
  func `it waits for the source`(queues: InjectionQueues) throws {
    let chain = InjectionChain(.success(42))
    let timeline = chain.log.timeline
    #expect(
      chain.log.readings == 0 && chain.log.injections == 0,
      "It read or injected in the initialiser, but the source hasn't started yet. Do it in main().")
    let sources = OperationQueue()
    sources.isSuspended = true
    let others = OperationQueue()
    let targets = queues == .one ? others : OperationQueue()
    sources.addOperation(chain.source)
    others.addOperation(chain.adapter)
    targets.addOperation(chain.target)
    runUntilQuiet()
    #expect(
      chain.log.readings == 0 && chain.log.injections == 0,
      timeline.showing(
        "The source hasn't finished, but its outcome was read: the adapter must depend on it."))
    #expect(
      !chain.log.hasBegun,
      timeline.showing("The source hasn't finished, but the target has begun."))

    sources.isSuspended = false
    expectMoved(chain)
  }

  @Test func `the target waits for the injection`() throws {
    let chain = InjectionChain(.success(42), on: held.queue)
    run(chain)
    runUntilQuiet()
    #expect(
      chain.source.isFinished, "The source waits, but it has no reason to: check the dependencies.")
    #expect(
      chain.log.readings == 0 && chain.log.injections == 0,
      """
      Its dispatch queue is held, but it has read or injected. Call both closures on the queue \
      that was passed in.
      """)
    #expect(
      !chain.log.hasBegun && !chain.adapter.isFinished,
      chain.log.timeline.showing(
        """
        Its dispatch queue is held, so nothing is injected, but the target or the adapter didn't \
        wait. The target must depend on the adapter, and the adapter must finish when the outcome \
        is injected.
        """))
    held.letGo()
    expectMoved(chain)
  }

  func expectMoved(
    _ chain: InjectionChain, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectBegun(chain, sourceLocation: sourceLocation)
    #expect(
      chain.value == 42, "The source ended with 42, but the target has \(chain.found).",
      sourceLocation: sourceLocation)
    chain.log.timeline.expect(
      """
      adapter  ●    ●  output, inject
      target             ●  begins
      """, "The adapter must read and inject, once each, and the target must begin after that.",
      sourceLocation: sourceLocation)
  }
}

/// The number of queues of a chain.
enum InjectionQueues: Sendable {
  case one, three
}

/// How a source ends, in the words of a message.
enum InjectionEnding: String, CaseIterable, Sendable {
  case value = "ended with a value"
  case failure = "failed"
  case cancelled = "was cancelled"
  case none = "ended without an outcome"

  /// What the source leaves.
  var outcome: Result<Int, any Error>? {
    switch self {
    case .value, .cancelled: .success(42)
    case .failure: .failure(InjectionFault(number: 7))
    case .none: nil
    }
  }
}
