import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension InjectingOperationTests {
  // MARK: - No thread is held

  @Test func `main returns its thread at once`() throws {
    let chain = InjectionChain(.success(42), on: held.queue)
    try mustReturn("the source's start()") { chain.source.start() }
    let starter = TestThread("start()") { chain.adapter.start() }
    eventually(
      """
      Its dispatch queue is held, and start() never returns: main() waits for the queue. Submit \
      the work with `async` and call finish() there.
      """
    ) { starter.hasReturned }
    held.letGo()
    eventually("It has started, but never finishes.") { chain.adapter.isFinished }
    // On Linux an operation doesn't retain its dependents: none may be freed before it has
    // notified them.
    runUntilQuiet()
    #expect(chain.log.injections == 1, "The outcome must be injected, once.")
  }

  @Test func `while they wait for their queue no thread is held`() throws {
    let count = 160 + 4 * ProcessInfo.processInfo.activeProcessorCount
    let chains = (0..<count).map { _ in InjectionChain(.success(42), on: held.queue) }
    try mustReturn("start(), \(count) times,", "Its dispatch queue is held: use `async`.") {
      for chain in chains {
        chain.source.start()
        chain.adapter.start()
      }
    }
    let others = SharedCounter()
    DispatchQueue.global().async { others.increment() }
    let othersRun = eventually(
      """
      \(count) adapters wait for a dispatch queue that is held, and a block on a global queue gets \
      no thread: the thread pool is exhausted. Each call of `sync` that waits holds a thread, in \
      main() and elsewhere: submit the work with `async`.
      """
    ) { others.value == 1 }
    if othersRun {
      runUntilQuiet()
      #expect(
        processThreadCount().map { $0 < count } ?? true,
        """
        \(count) adapters wait for a dispatch queue that is held, and the process has \
        \(processThreadCount() ?? 0) threads: one waits for each. Submit the work with `async`.
        """)
    }
    held.letGo()
    eventually("Their dispatch queue was released, but not every adapter finishes.") {
      chains.allSatisfy(\.adapter.isFinished)
    }
    // On Linux an operation doesn't retain its dependents: none may be freed before it has
    // notified them.
    runUntilQuiet()
  }

  @Test(.observesKVO, arguments: InjectionEnding.allCases)
  func `an observer of its end finds the outcome injected`(ending: InjectionEnding) throws {
    let (mayReturn, isAdded) = (Gate("inject may return"), LockedValue(false))
    let chain = InjectionChain(ending.outcome) {
      if $0 == "inject", isAdded.value { mayReturn.wait() }
    }
    if ending == .cancelled { chain.source.cancel() }
    let supplied = SharedCounter()
    let probe = KVOProbe(chain.adapter) { [log = chain.log] in
      if $0 == .did(.isFinished), log.injections == 1 { supplied.increment() }
    }
    isAdded.set(true)
    run(chain)
    runUntilQuiet()
    #expect(
      !chain.adapter.isFinished,
      "`inject` hasn't returned, and the adapter has finished: call finish() after it.")
    mayReturn.open()
    expectBegun(chain)
    runUntilQuiet()
    withExtendedLifetime(probe) {}
    #expect(
      supplied.value == 1,
      """
      The source \(ending.rawValue). The adapter announced that it was finished before it had \
      injected, but the target may start at that moment. Call finish() last.
      """)
  }

  @Test func `both closures are called once, on its queue`() throws {
    let queue = DispatchQueue(label: "com.example.marked")
    let (places, strays) = (Places(["its queue": queue]), SharedCounter())
    let chain = InjectionChain(.success(42), on: queue) { _ in
      if places.current != "its queue" { strays.increment() }
    }
    run(chain)
    eventually("The source has finished, but the target never begins.") { chain.log.hasBegun }
    runUntilQuiet()
    #expect(
      strays.value == 0,
      "A closure was called elsewhere; call both on the dispatch queue that was passed in.")
    #expect(
      chain.log.readings == 1 && chain.log.injections == 1,
      """
      `output` was called \(chain.log.readings) times and `inject` \
      \(chain.log.injections) times. \
      Each must be called once.
      """)
  }

  @Test func `it finishes even if its target was freed`() throws {
    let source = InjectionSource(.success(42))
    let adapter = adapterWithoutTarget(from: source)
    let queue = OperationQueue()
    queue.addOperations([adapter, source], waitUntilFinished: false)
    eventually(
      """
      Its target doesn't depend on it any more and was freed, so there is nothing to inject into, \
      but the adapter must still finish. It never does: call finish() on every path.
      """
    ) { adapter.isFinished }
    runUntilQuiet()
  }

  @Test func `a target that doesn't wait for it still receives the outcome`() {
    let chain = InjectionChain(.success(42))
    for dependency in chain.target.dependencies { chain.target.removeDependency(dependency) }
    let queue = OperationQueue()
    queue.addOperations([chain.adapter, chain.source], waitUntilFinished: false)
    eventually("The source has finished, but the adapter never does.") { chain.adapter.isFinished }
    runUntilQuiet()
    #expect(
      chain.log.readings == 1 && chain.log.injections == 1,
      """
      The target doesn't depend on the adapter any more, but it's still in memory: `output` and \
      `inject` must each be called once; here the counts are \(chain.log.readings) and \
      \(chain.log.injections).
      """)
  }

  // dispatch queue        target
  // held
  //                       last reference released: must be freed
  // released
  @Test func `its target may be freed while it waits for its queue`() throws {
    let (source, log, ends) = (InjectionSource(.success(42)), InjectionLog(), SharedCounter())
    try mustReturn("the source's start()") { source.start() }
    let target = try startedAndDropped(from: source, log, ends)
    runUntilQuiet()
    #expect(
      target.isGone,
      """
      The adapter was started and waits for its dispatch queue. The target isn't used by anything \
      else, but it's still in memory: don't retain it before the queue has run your block.
      """)
    held.letGo()
    eventually(
      """
      Its target was freed, nothing else retains the adapter, and it never finishes: its \
      completion block isn't called. The block on the dispatch queue must retain the adapter.
      """
    ) { ends.value > 0 }
    #expect(log.injections == 0, "Its target was freed, but it has injected.")
  }

  private func startedAndDropped(
    from source: InjectionSource, _ log: InjectionLog, _ ends: SharedCounter
  ) throws -> WeakReference<InjectionTarget> {
    let target = InjectionTarget(log)
    let adapter = InjectingOperation(
      from: source, { $0.outcome }, into: target, on: held.queue
    ) {
      log.timeline.mark("adapter", "inject")
      $0.input = $1
    }
    // As below: the target is freed before the adapter finishes.
    for dependency in target.dependencies { target.removeDependency(dependency) }
    adapter.completionBlock = { ends.increment() }
    try mustReturn("start()") { adapter.start() }
    return WeakReference(target)
  }

  private func adapterWithoutTarget(from source: InjectionSource) -> InjectingOperation<Int> {
    let target = InjectionTarget(InjectionLog())
    let adapter = InjectingOperation(from: source, { $0.outcome }, into: target) { $0.input = $1 }
    // On Linux an operation doesn't retain its dependents, and the process crashes if one was
    // freed.
    for dependency in target.dependencies { target.removeDependency(dependency) }
    return adapter
  }
}
