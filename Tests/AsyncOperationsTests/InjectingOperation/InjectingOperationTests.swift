import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// Proves that the target gets the source's outcome, or an error where there is none, before it starts,
/// that no thread waits meanwhile, that an adapter cancelled in time moves nothing, and that nobody is
/// kept.
@Suite(.serialized, .kata) struct InjectingOperationTests {
  let held = HeldWorkerQueue()

  // MARK: - After the first, before the second

  @Test func `it moves the value of the source into the target`() throws {
    let chain = InjectionChain(.success(42))
    run(chain)
    expectBegun(chain)
    #expect(
      chain.value == 42,
      """
      The source ended with 42, and the target has \(chain.found). The adapter depends on the \
      source, and the target on the adapter; between the two it reads the outcome and injects it.
      """)
  }

  @Test(arguments: [InjectionQueues.one, .three])
  func `it waits for the source`(queues: InjectionQueues) throws {
    let chain = InjectionChain(.success(42))
    let timeline = chain.log.timeline
    #expect(
      chain.log.readings == 0 && chain.log.injections == 0,
      "It read or injected while it was made: the source hasn't even started. Do it in main().")
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
        "The source hasn't finished, and its outcome was read: the adapter must depend on it."))
    #expect(
      !chain.log.hasBegun,
      timeline.showing("The source hasn't finished, and the target has begun."))

    sources.isSuspended = false
    expectMoved(chain)
  }

  @Test func `the target waits for the injection`() throws {
    let chain = InjectionChain(.success(42), on: held.queue)
    run(chain)
    runUntilQuiet()
    #expect(
      chain.source.isFinished, "The source waits, though it has no reason to: who depends on whom?")
    #expect(
      chain.log.readings == 0 && chain.log.injections == 0,
      """
      Its dispatch queue is held up, and it has read or injected all the same: both closures \
      belong on the queue that it was given.
      """)
    #expect(
      !chain.log.hasBegun && !chain.adapter.isFinished,
      chain.log.timeline.showing(
        """
        Its dispatch queue is held up, so nothing is injected, and the target has begun. The target \
        must depend on the adapter, and the adapter finish when the outcome is injected.
        """))
    held.letGo()
    expectMoved(chain)
  }

  func expectMoved(
    _ chain: InjectionChain, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectBegun(chain, sourceLocation: sourceLocation)
    #expect(
      chain.value == 42, "The source ended with 42, and the target has \(chain.found).",
      sourceLocation: sourceLocation)
    chain.log.timeline.expect(
      """
      adapter  ●    ●  output, inject
      target             ●  begins
      """, "The adapter has to read and to inject, once each, and the target begins after that.",
      sourceLocation: sourceLocation)
  }
}

/// In how many queues a chain runs.
enum InjectionQueues: Sendable {
  case one, three
}
