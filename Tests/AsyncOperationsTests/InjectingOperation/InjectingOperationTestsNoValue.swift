import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension InjectingOperationTests {
  // MARK: - Without a value

  @Test func `a failure is passed on as it is`() throws {
    let chain = InjectionChain(.failure(InjectionFault(number: 7)))
    run(chain)
    expectBegun(chain)
    #expect(
      chain.error as? InjectionFault == InjectionFault(number: 7),
      """
      The source failed, but the target has \(chain.found). It must receive the source's own \
      error, so that it knows what went wrong.
      """)
    #expect(
      !chain.target.isCancelled, "A failed source must not cancel the target: inject the failure.")
  }

  @Test func `a cancelled source gives the target a CancellationError`() throws {
    let chain = InjectionChain(.success(42))
    chain.source.cancel()
    run(chain)
    expectBegun(chain)
    #expect(
      chain.error is CancellationError,
      """
      The source was cancelled and has no outcome, but the target has \(chain.found). It must \
      receive a CancellationError.
      """)
  }

  @Test func `a source without an outcome gives the target noOutcome`() throws {
    let chain = InjectionChain(nil)
    run(chain)
    expectBegun(chain)
    #expect(
      chain.error as? InjectionError == .noOutcome,
      """
      The source finished without an outcome and wasn't cancelled, but the target has \
      \(chain.found). It must receive InjectionError.noOutcome.
      """)
  }

  @Test func `a source that was cancelled too late has its value moved`() throws {
    let chain = InjectionChain(.success(42), isCancelledInMain: true)
    run(chain)
    expectBegun(chain)
    #expect(
      chain.value == 42,
      """
      The source was cancelled while it worked, but still ended with 42; the target has \
      \(chain.found). Check the outcome first, and isCancelled only if there is none.
      """)
  }

  @Test func `a source that was cancelled too late has its failure moved`() throws {
    let chain = InjectionChain(.failure(InjectionFault(number: 7)), isCancelledInMain: true)
    run(chain)
    expectBegun(chain)
    #expect(
      chain.error as? InjectionFault == InjectionFault(number: 7),
      """
      The source was cancelled while it worked, and failed with an error of its own; the target \
      has \(chain.found). It must receive that error: isCancelled counts only if there is no \
      outcome.
      """)
  }

  @Test(arguments: [false, true])
  func `a cancelled target still receives the outcome`(hasFinished: Bool) throws {
    let chain = InjectionChain(.success(42))
    chain.target.cancel()
    if hasFinished { chain.target.start() }
    let queue = OperationQueue()
    queue.addOperations([chain.adapter, chain.source], waitUntilFinished: false)
    eventually("The source has finished, but the adapter never does.") { chain.adapter.isFinished }
    runUntilQuiet()
    #expect(
      chain.log.readings == 1 && chain.log.injections == 1,
      """
      The target was cancelled\(hasFinished ? " and had finished before the source" : ""), and the \
      adapter wasn't cancelled: `output` and `inject` must each be called once, as always; here \
      the counts are \(chain.log.readings) and \(chain.log.injections).
      """)
  }

  // MARK: - The adapter is cancelled

  @Test func `cancelled before its queue runs the work, it moves nothing`() throws {
    let chain = InjectionChain(.success(42), on: held.queue)
    run(chain)
    eventually("The source has finished, but the adapter never starts.") {
      chain.adapter.isExecuting
    }
    chain.adapter.cancel()
    held.letGo()
    expectBegun(chain)
    #expect(
      chain.log.injections == 0 && !chain.target.isCancelled,
      """
      It was cancelled before its dispatch queue ran its block: it must move nothing, and not \
      cancel the target.
      """)
  }

  // its queue           another thread
  // calls `output`
  //                     cancel()
  // calls `inject`
  @Test(arguments: [42, nil])
  func `cancelled when its queue runs the work, it still moves the outcome`(value: Int?) throws {
    let own = LockedValue<WeakReference<InjectingOperation<Int>>?>(nil)
    let wasFinished = LockedValue(false)
    let chain = InjectionChain(value.map { .success($0) }) {
      guard $0 == "output", let adapter = own.value?.value else { return }
      adapter.cancel()
      wasFinished.set(adapter.isFinished)
    }
    own.set(WeakReference(chain.adapter))
    run(chain)
    eventually("It was cancelled while it moved the outcome, and the target never begins.") {
      chain.log.hasBegun
    }
    // On Linux an operation doesn't retain its dependents: none may be freed before it has
    // notified them.
    runUntilQuiet()
    #expect(
      chain.log.injections == 1,
      """
      It was cancelled inside `output`, and `inject` was called \(chain.log.injections) times. Its \
      queue was already running the work, so both closures must be called, once: check isCancelled \
      before `output`, and not again.
      """)
    #expect(
      !wasFinished.value,
      """
      It was cancelled inside `output`, and was finished before `inject` was called. Its end means \
      that the outcome has been injected: finish after the move alone.
      """)
    #expect(
      value == nil ? chain.error as? InjectionError == .noOutcome : chain.value == value,
      """
      It was cancelled inside `output`, and the target has \(chain.found). Its own cancellation \
      changes nothing then: without an outcome, only the cancellation of the source counts.
      """)
  }

  @Test func `cancelled before its start, it moves nothing`() throws {
    let chain = InjectionChain(.success(42))
    chain.adapter.cancel()
    run(chain)
    expectBegun(chain)
    runUntilQuiet()
    #expect(
      chain.log.injections == 0,
      "It was cancelled before its start, but has injected: do nothing outside main().")
  }

  @Test func `if it is cancelled, its target doesn't wait for the source`() throws {
    let chain = InjectionChain(.success(42))
    let sources = OperationQueue()
    sources.isSuspended = true
    let others = OperationQueue()
    sources.addOperation(chain.source)
    others.addOperations([chain.adapter, chain.target], waitUntilFinished: false)
    try mustReturn("cancel()") { chain.adapter.cancel() }
    eventually(
      """
      The adapter was cancelled before the source had begun, but the target never begins. It must \
      depend on the adapter alone, which is cancelled and doesn't wait any more.
      """
    ) { chain.log.hasBegun }
    runUntilQuiet()
    #expect(
      !chain.source.isCancelled && !chain.target.isCancelled,
      "The adapter was cancelled, and cancelled another operation: it must not.")
    sources.isSuspended = false
    eventually("The source never finishes.") { chain.source.isFinished }
    runUntilQuiet()
    #expect(
      chain.log.injections == 0,
      "The adapter was cancelled before its start, but has injected.")
  }

  // MARK: - Many, and none

  @Test func `many chains on one queue don't mix`() throws {
    let chains = (0..<60).map { InjectionChain(.success($0)) }
    let queue = OperationQueue()
    for chain in chains {
      queue.addOperations([chain.target, chain.adapter], waitUntilFinished: false)
    }
    for chain in chains.reversed() { queue.addOperation(chain.source) }
    for chain in chains { expectBegun(chain) }
    let wrong = chains.indices.filter { chains[$0].value != $0 }
    #expect(
      wrong.isEmpty,
      """
      Sixty chains ran on one queue, and \(wrong.count) targets got a wrong outcome: for example, \
      the target of chain \(wrong.first ?? 0) has \(wrong.first.map { chains[$0].found } ?? "").
      """)
  }

  @Test func `a chain that is never run is freed`() throws {
    let watch = InjectionChain(.success(42)).watch()
    #expect(
      watch.remaining.isEmpty,
      """
      A chain was created and released, but these are still in memory: \
      \(watch.remaining.joined(separator: ", ")). The target retains the adapter, its dependency; \
      if the adapter retains the target too, that's a retain cycle. Capture the target weakly.
      """)
  }

  @Test func `a chain that was run is freed`() throws {
    let watch = lifeOfChain()
    eventually(
      """
      A chain was run and released, but a part of it is still in memory: check what retains what.
      """
    ) { watch.remaining.isEmpty }
  }

  private func lifeOfChain() -> InjectionWatch {
    let chain = InjectionChain(.success(42))
    run(chain)
    expectBegun(chain)
    return chain.watch()
  }
}
