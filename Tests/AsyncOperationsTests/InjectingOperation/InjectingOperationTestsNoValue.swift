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
      The source failed, and the target has \(chain.found). It must be given the source's own \
      error, so that it can tell what went wrong.
      """)
    #expect(
      !chain.target.isCancelled, "A failure is a reason to inject it, not to cancel the target.")
  }

  @Test func `of a cancelled source the target hears`() throws {
    let chain = InjectionChain(.success(42))
    chain.source.cancel()
    run(chain)
    expectBegun(chain)
    #expect(
      chain.error is CancellationError,
      """
      The source was cancelled and has no outcome; the target has \(chain.found). It must be given \
      a CancellationError.
      """)
  }

  @Test func `a source without an outcome is another matter`() throws {
    let chain = InjectionChain(nil)
    run(chain)
    expectBegun(chain)
    #expect(
      chain.error as? InjectionError == .noOutcome,
      """
      The source finished without an outcome, and nobody had cancelled it; the target has \
      \(chain.found). It must be given InjectionError.noOutcome.
      """)
  }

  @Test func `a source that was cancelled too late has its value moved`() throws {
    let chain = InjectionChain(.success(42), isCancelledInMain: true)
    run(chain)
    expectBegun(chain)
    #expect(
      chain.value == 42,
      """
      The source was cancelled while it worked, and ended with 42 all the same; the target has \
      \(chain.found). Look at the outcome first, and at isCancelled only where there is none.
      """)
  }

  @Test func `a source that was cancelled too late has its failure moved`() throws {
    let chain = InjectionChain(.failure(InjectionFault(number: 7)), isCancelledInMain: true)
    run(chain)
    expectBegun(chain)
    #expect(
      chain.error as? InjectionFault == InjectionFault(number: 7),
      """
      The source was cancelled while it worked, and failed with an error of its own; the target has \
      \(chain.found). It must be given that error: isCancelled counts only where there is no outcome.
      """)
  }

  @Test func `a cancelled target is given its outcome as well`() throws {
    let chain = InjectionChain(.success(42))
    chain.target.cancel()
    let queue = OperationQueue()
    queue.addOperations([chain.adapter, chain.source], waitUntilFinished: false)
    eventually("The source has finished, and the adapter never does.") { chain.adapter.isFinished }
    runUntilQuiet()
    #expect(
      chain.log.readings == 1 && chain.log.injections == 1,
      """
      The target was cancelled, and the adapter wasn't: `output` and `inject` must each be called \
      once, as always; here it's \(chain.log.readings) and \(chain.log.injections).
      """)
  }

  // MARK: - The adapter is cancelled

  @Test func `cancelled before its queue comes to it, it moves nothing`() throws {
    let chain = InjectionChain(.success(42), on: held.queue)
    run(chain)
    eventually("The source has finished, and the adapter never starts.") {
      chain.adapter.isExecuting
    }
    chain.adapter.cancel()
    held.letGo()
    expectBegun(chain)
    #expect(
      chain.log.injections == 0 && !chain.target.isCancelled,
      """
      It was cancelled before its dispatch queue came to it: it must move nothing, and leave the \
      target alone.
      """)
  }

  // its queue           whoever cancels
  // calls `output`
  //                     cancel()
  // calls `inject`
  @Test func `cancelled when its queue has come to it, it moves all the same`() throws {
    let own = LockedValue<WeakReference<InjectingOperation<Int>>?>(nil)
    let chain = InjectionChain(.success(42)) { if $0 == "output" { own.value?.value?.cancel() } }
    own.set(WeakReference(chain.adapter))
    run(chain)
    eventually("It was cancelled while it moved, and the target never begins.") {
      chain.log.hasBegun
    }
    // Foundation doesn't keep its dependents while it tells them: nothing may go before it has.
    runUntilQuiet()
    #expect(
      chain.log.injections == 1,
      """
      It was cancelled inside `output`, and `inject` was called \(chain.log.injections) times. Its queue \
      had come to it, so both closures must be called, once: ask isCancelled before `output`, and not \
      again.
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
      "It was cancelled before its start, and has injected: do nothing outside main().")
  }

  @Test func `cancelled, its target waits for nobody`() throws {
    let chain = InjectionChain(.success(42))
    let sources = OperationQueue()
    sources.isSuspended = true
    let others = OperationQueue()
    sources.addOperation(chain.source)
    others.addOperations([chain.adapter, chain.target], waitUntilFinished: false)
    try mustReturn("cancel()") { chain.adapter.cancel() }
    eventually(
      """
      The adapter was cancelled before the source had begun, and the target never begins: it must \
      depend on the adapter alone, which waits for nobody any more.
      """
    ) { chain.log.hasBegun }
    runUntilQuiet()
    #expect(
      !chain.source.isCancelled && !chain.target.isCancelled,
      "The adapter was cancelled, and another operation with it: it must leave both alone.")
    sources.isSuspended = false
    eventually("The source never finishes.") { chain.source.isFinished }
    runUntilQuiet()
    #expect(
      chain.log.injections == 0,
      "The adapter was cancelled before its start, and has injected.")
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
      that of chain \(wrong.first ?? 0) has \(wrong.first.map { chains[$0].found } ?? "").
      """)
  }

  @Test func `a chain that is never run goes away`() throws {
    let watch = InjectionChain(.success(42)).watch()
    #expect(
      watch.remaining.isEmpty,
      """
      A chain was made and dropped, and these are still in memory: \
      \(watch.remaining.joined(separator: ", ")). The target keeps the adapter, its dependency; \
      when the adapter keeps the target too, neither ever goes. Capture the target weakly.
      """)
  }

  @Test func `a chain that was run goes away`() throws {
    let watch = lifeOfChain()
    eventually(
      """
      A chain was run and dropped, and some of it is still in memory: who keeps whom?
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
