import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension InjectingOperationTests {
  // MARK: - Nobody is held

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
    let others = SharedCounter()
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
    let supplied = SharedCounter()
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
    let (places, strays) = (Places(["its queue": queue]), SharedCounter())
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
      Its target doesn't depend on it any more and has gone, so there is nothing to inject into, and the \
      adapter never finishes: its queue waits for it all the same. Call finish() on every path.
      """
    ) { adapter.isFinished }
    runUntilQuiet()
  }

  // dispatch queue        target
  // held
  //                       is let go of: must go
  // let go
  @Test func `its target may go while it waits for its queue`() throws {
    let (source, log, ends) = (InjectionSource(.success(42)), InjectionLog(), SharedCounter())
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
    from source: InjectionSource, _ log: InjectionLog, _ ends: SharedCounter
  ) throws -> WeakReference<InjectionTarget> {
    let target = InjectionTarget(log)
    let adapter = InjectingOperation(
      from: source, { $0.outcome }, into: target, on: held.queue
    ) {
      log.timeline.mark("adapter", "inject")
      $0.input = $1
    }
    // As above: it goes before the adapter finishes.
    for dependency in target.dependencies { target.removeDependency(dependency) }
    adapter.completionBlock = { ends.increment() }
    try mustReturn("start()") { adapter.start() }
    return WeakReference(target)
  }

  private func adapterWithoutTarget(from source: InjectionSource) -> InjectingOperation<Int> {
    let target = InjectionTarget(InjectionLog())
    let adapter = InjectingOperation(from: source, { $0.outcome }, into: target) { $0.input = $1 }
    // On Linux an operation doesn't retain its dependents, and the process crashes if one has gone.
    for dependency in target.dependencies { target.removeDependency(dependency) }
    return adapter
  }
}
