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

  private func expectMoved(
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

  @Test func `main gives its thread back`() throws {
    let chain = InjectionChain(.success(42), on: held.queue)
    try mustReturn("the source's start()") { chain.source.start() }
    let starter = TestThread("start()") { chain.adapter.start() }
    eventually(
      """
      Its dispatch queue is held up, and start() never returns: main() waits for the queue. Hand \
      the work over with `async` and call finish() there.
      """
    ) { starter.hasReturned }
    held.letGo()
    eventually("It has started, and never finishes.") { chain.adapter.isFinished }
    // Foundation doesn't keep its dependents while it tells them: nothing may go before it has.
    runUntilQuiet()
    #expect(chain.log.injections == 1, "The outcome must be injected, once.")
  }

  @Test func `while they wait for their queue no thread is held`() throws {
    let count = 160 + 4 * ProcessInfo.processInfo.activeProcessorCount
    let chains = (0..<count).map { _ in InjectionChain(.success(42), on: held.queue) }
    try mustReturn("start(), \(count) times,", "Its dispatch queue is held up: use `async`.") {
      for chain in chains {
        chain.source.start()
        chain.adapter.start()
      }
    }
    let others = Counter()
    DispatchQueue.global().async { others.increment() }
    let othersRun = eventually(
      """
      \(count) adapters wait for a dispatch queue that is held up, and a block on a global queue gets no \
      thread: they have used up all that there are. Whoever waits in `sync` holds a thread, in main() and \
      elsewhere: hand the work over with `async`.
      """
    ) { others.value == 1 }
    if othersRun {
      runUntilQuiet()
      #expect(
        processThreadCount().map { $0 < count } ?? true,
        """
        \(count) adapters wait for a dispatch queue that is held up, and the process has \
        \(processThreadCount() ?? 0) threads: somebody waits for each. Hand the work over with `async`.
        """)
    }
    held.letGo()
    eventually("Their dispatch queue was let go, and not every adapter finishes.") {
      chains.allSatisfy(\.adapter.isFinished)
    }
    // Foundation doesn't keep its dependents while it tells them: nothing may go before it has.
    runUntilQuiet()
  }

  @Test(.observesKVO) func `who hears that it is finished finds the target supplied`() throws {
    let chain = InjectionChain(.success(42))
    let supplied = Counter()
    let probe = KVOProbe(chain.adapter) { [log = chain.log] in
      if $0 == .did(.isFinished), log.injections == 1 { supplied.increment() }
    }
    run(chain)
    expectBegun(chain)
    runUntilQuiet()
    withExtendedLifetime(probe) {}
    #expect(
      supplied.value == 1,
      """
      It announced that it was finished, and hadn't injected: the target starts there and then. \
      Call finish() last.
      """)
  }

  @Test func `both closures are called once, on its queue`() throws {
    let queue = DispatchQueue(label: "com.example.marked")
    let (places, strays) = (Places(["its queue": queue]), Counter())
    let chain = InjectionChain(.success(42), on: queue) { _ in
      if places.current != "its queue" { strays.increment() }
    }
    run(chain)
    eventually("The source has finished, and the target never begins.") { chain.log.hasBegun }
    runUntilQuiet()
    #expect(
      strays.value == 0,
      "A closure was called elsewhere; both belong on the dispatch queue that it was given.")
    #expect(
      chain.log.readings == 1 && chain.log.injections == 1,
      """
      `output` was called \(chain.log.readings) times and `inject` \
      \(chain.log.injections) times. \
      Each must be called once.
      """)
  }

  @Test func `it finishes where its target has gone`() throws {
    let source = InjectionSource(.success(42))
    let adapter = adapterWithoutTarget(from: source)
    let queue = OperationQueue()
    queue.addOperations([adapter, source], waitUntilFinished: false)
    eventually(
      """
      Its target has gone, so there is nobody to inject into, and the adapter never finishes: its \
      queue waits for it all the same. Call finish() on every path.
      """
    ) { adapter.isFinished }
    runUntilQuiet()
  }

  // dispatch queue        target
  // held
  //                       is let go of: must go
  // let go
  @Test func `its target may go while it waits for its queue`() throws {
    let (source, log, ends) = (InjectionSource(.success(42)), InjectionLog(), Counter())
    try mustReturn("the source's start()") { source.start() }
    let target = try startedAndDropped(from: source, log, ends)
    runUntilQuiet()
    #expect(
      target.isGone,
      """
      The adapter was started and waits for its dispatch queue; nobody else keeps the target, and it's \
      still in memory. Look for it when the queue has come to you, and don't hold it until then.
      """)
    held.letGo()
    eventually(
      """
      Its target has gone, nobody else keeps the adapter, and it never finishes: its completion block \
      isn't called. What is put on the dispatch queue has to keep the adapter.
      """
    ) { ends.value > 0 }
    #expect(log.injections == 0, "Its target has gone, and it has injected.")
  }

  private func startedAndDropped(
    from source: InjectionSource, _ log: InjectionLog, _ ends: Counter
  ) throws -> WeakReference<InjectionTarget> {
    let target = InjectionTarget(log)
    let adapter = InjectingOperation(
      from: source, { $0.outcome }, into: target, on: held.queue
    ) {
      log.timeline.mark("adapter", "inject")
      $0.input = $1
    }
    for dependency in target.dependencies { target.removeDependency(dependency) }
    adapter.completionBlock = { ends.increment() }
    try mustReturn("start()") { adapter.start() }
    return WeakReference(target)
  }

  private func adapterWithoutTarget(from source: InjectionSource) -> InjectingOperation<Int> {
    let target = InjectionTarget(InjectionLog())
    let adapter = InjectingOperation(from: source, { $0.outcome }, into: target) { $0.input = $1 }
    // On Linux an operation tells its dependents without keeping them, so who goes mustn't be one.
    for dependency in target.dependencies { target.removeDependency(dependency) }
    return adapter
  }

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
    let own = Locked<WeakReference<InjectingOperation<Int>>?>(nil)
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

/// In how many queues a chain runs.
enum InjectionQueues: Sendable {
  case one, three
}
