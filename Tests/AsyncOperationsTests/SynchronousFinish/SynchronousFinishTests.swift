import Foundation
import KataTesting
import Testing

/// Proves that work which ends before main has returned ends the operation once, announced in order, as
/// later work does.
@Suite(.serialized, .kata) struct SynchronousFinishTests {
  private let timeline = Timeline()

  // MARK: - The end comes early

  // start()       main()        the end
  // begins
  //               looks
  //                             the data is at hand: finished
  //               returns
  // goes on: what it does now comes after the end
  @Test func `data at hand ends it at once`() throws {
    let job = CachedLoadJob(.atHand)
    try start(job)
    expectEnd(
      of: job,
      """
      The data was at hand, so the end came inside main(), before start() went on. Whatever \
      start() does after main() comes too late: it overwrites the end. Begin with start().
      """)
    #expect(job.loads == 0, "The data was at hand, and load was called all the same.")
  }

  @Test func `empty data at hand ends it too`() throws {
    let loads = Counter()
    let operation = CachedLoadOperation {
      Data()
    } load: { completion in
      loads.increment()
      completion(CachedLoadJob.data)
    }
    try mustReturn("start()") { operation.start() }
    #expect(
      operation.isFinished && operation.data == Data() && loads.value == 0,
      """
      Data was at hand, though there was nothing in it: only nil says that none is. It must be \
      finished with empty data and load nothing; here isFinished=\(operation.isFinished), \
      \(operation.data.map { "\($0.count) bytes" } ?? "no data"), loaded \(loads.value) times.
      """)
  }

  @Test func `empty data that is loaded ends it too`() throws {
    let operation = CachedLoadOperation {
      nil
    } load: { completion in
      for data in [Data(), CachedLoadJob.data] { completion(data) }
    }
    try mustReturn("start()") { operation.start() }
    #expect(
      operation.isFinished && operation.data == Data(),
      """
      load called its completion with empty data, and then with more. The first call ends the \
      operation, whatever comes with it; here isFinished=\(operation.isFinished), \
      \(operation.data.map { "\($0.count) bytes" } ?? "no data").
      """)
  }

  // main()        load
  //               calls the completion, which returns
  //               looks: finished
  // returns
  @Test(arguments: [DataArrival.insideLoad, .fromAnotherThread])
  func `it has ended when the completion returns`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    try start(job)
    #expect(
      job.ends.value == [Reading(isExecuting: false, isFinished: true)],
      """
      The completion was called inside load, and had returned. That ends the operation, though main() \
      hasn't returned yet; here it was \
      \(job.ends.value.map(\.description)). \
      Don't put the end off.
      """)
  }

  @Test(arguments: [DataArrival.insideLoad, .fromAnotherThread])
  func `data that comes before load returns ends it`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    try start(job)
    expectEnd(
      of: job, "The completion was called before load had returned, which counts like any other.")
  }

  @Test(arguments: DataArrival.allCases)
  func `it executes while it looks and loads`(arrival: DataArrival) throws {
    let inside = Locked<[Reading]>([])
    let job = CachedLoadJob(arrival) { inside.append(Reading($0)) }
    try live(job)
    #expect(
      inside.value.count == (arrival == .atHand ? 1 : 2)
        && inside.value.allSatisfy { $0 == Reading(isExecuting: true, isFinished: false) },
      """
      Inside cached and load the operation must be executing and not finished, and each is called \
      once; it was read \(inside.value.count) times: \
      \(inside.value.map(\.description)). Change \
      the state to executing before you call main().
      """)
  }

  @Test func `it looks and loads on the thread that starts it`() throws {
    let (starter, strays) = (ThreadMark(), Counter())
    let job = CachedLoadJob(.insideLoad) { _ in
      if !starter.isCurrent { strays.increment() }
    }
    try mustReturn("start()", "Is a lock held while it notifies or calls out?") {
      starter.note()
      job.operation.start()
    }
    #expect(job.looks == 1 && job.loads == 1, "It must look once and load once.")
    #expect(
      strays.value == 0,
      "cached or load was called on another thread than start(): call main() in start() itself.")
  }

  @Test(.observesKVO) func `nothing is called before it executes`() throws {
    let job = CachedLoadJob(.atHand) { [timeline] _ in timeline.visit("the work") {} }
    let goesOn = Gate("the announcement goes on")
    let probe = KVOProbe(job.operation) { [timeline] in
      // Its end changes the same property.
      if $0 == .will(.isExecuting), !goesOn.isOpen { timeline.visit("the notice", until: goesOn) }
    }
    let starter = TestThread("start()") { job.operation.start() }
    eventually(
      "It was started, and never announced that it executes: call willChangeValue(forKey:)."
    ) { goesOn.waiting > 0 || starter.hasReturned }
    let isEarly = !timeline.expect(
      "the notice  ├────…",
      """
      start() was still announcing that it's going to execute, and the work had begun. Whoever \
      works at that moment may end the operation before it executes.
      """)
    goesOn.open()
    guard !isEarly else { return }
    timeline.expect(
      """
      the notice  ├────┤
      the work              ├────┤
      """, "It has announced that it's going to execute, and its work must begin then, once.")
    try starter.result()
    withExtendedLifetime(probe) {}
  }

  // MARK: - The end comes late

  @Test func `it executes until the data comes`() throws {
    let job = CachedLoadJob(.later)
    try start(job)
    #expect(
      job.operation.isExecuting && !job.operation.isFinished && job.operation.data == nil,
      """
      load has returned and the data hasn't come. The operation must go on executing until then; \
      here isExecuting=\(job.operation.isExecuting), isFinished=\(job.operation.isFinished).
      """)
    #expect(
      job.operation.isAsynchronous, "isAsynchronous must be true: its work outlives start().")
    try deliver(to: job)
    expectEnd(of: job, "The data has come.")
  }

  @Test func `the second data has no effect`() throws {
    let job = CachedLoadJob(.later)
    try live(job)
    try deliver(Data("another picture".utf8), to: job)
    expectEnd(of: job, "The completion was called a second time; the first one counts.")
  }

  @Test(.observesKVO) func `the second data has no effect while the first is announced`() throws {
    let job = CachedLoadJob(.later)
    try start(job)
    let heard = Locked<[Data?]>([])
    let notices = Counter()
    let operation = job.operation
    let probe = KVOProbe(operation) { [timeline] announcement in
      if notices.increment() == 1 {
        timeline.visit("its first notice") {
          onAnotherThread("the second completion") {
            timeline.visit("the second completion") {
              job.deliver(Data("another picture".utf8))
            }
          }
        }
      }
      if announcement == .did(.isFinished), operation.isFinished { heard.append(operation.data) }
    }
    _ = TestThread("completion") { [timeline] in
      timeline.visit("the completion") { job.deliver() }
    }
    let returned = timeline.expect(
      """
      the completion         ├────────────────────────┤
      its first notice            ├──────────────┤
      the second completion            ├────┤
      """,
      """
      Inside a notice of the end, another thread called the completion for the second time, and \
      waits: a lock is held, or a queue occupied, while the notice is sent.
      """)
    guard returned else { return }
    #expect(
      !heard.value.isEmpty && heard.value.allSatisfy { $0 == CachedLoadJob.data },
      probe.showing(
        """
        Two threads brought data at the same moment. One had decided to end the operation and was \
        announcing it when the other came, and who heard of the end found the other's data. Decide \
        in one step, under the lock, and leave a note there.
        """))
    expectEnd(of: job, "Two threads brought data; the first one counts.")
  }

  // MARK: - What is announced

  @Test(.observesKVO, arguments: [DataArrival.atHand, .insideLoad])
  func `an end inside main is announced inside main`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    let strays = Counter()
    let operation = job.operation
    let starter = ThreadMark()
    let probe = KVOProbe(operation) { _ in
      if !starter.isCurrent { strays.increment() }
    }
    try mustReturn("start()", "Is a lock held while it notifies or calls out?") {
      starter.note()
      operation.start()
    }
    runUntilQuiet()
    #expect(
      strays.value == 0,
      probe.showing(
        """
        The data was there before main() had returned, and the end was announced by another \
        thread, some time later. It needn't be put off: where executing comes before main(), the \
        end may come at any time.
        """))
  }

  @Test(.observesKVO, arguments: DataArrival.allCases)
  func `the data is there when its end is announced`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    let heard = Locked<[Data?]>([])
    let operation = job.operation
    let probe = KVOProbe(operation) {
      if $0 == .did(.isFinished), operation.isFinished { heard.append(operation.data) }
    }
    try live(job)
    #expect(
      !heard.value.isEmpty && heard.value.allSatisfy { $0 == CachedLoadJob.data },
      probe.showing(
        """
        Whoever hears "did isFinished" looks for the data, and must find it. Keep the data first, \
        or together with the change; then announce the end.
        """))
  }

  @Test(.observesKVO, arguments: DataArrival.allCases)
  func `start and end are announced, however soon the data comes`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    let probe = KVOProbe(job.operation)
    try live(job)
    let expected: [(KVOProbe.Key, before: [Bool], after: [Bool])] = [
      (.isExecuting, before: [false, true], after: [true, false]),
      (.isFinished, before: [false], after: [true]),
    ]
    for (key, before, after) in expected {
      let wills = probe.notices(of: .will(key)).compactMap { $0.value(of: key) }
      let dids = probe.notices(of: .did(key)).compactMap { $0.value(of: key) }
      #expect(
        wills.first == before.first && dids.last == after.last && wills.count == dids.count
          && before.allSatisfy(wills.contains) && after.allSatisfy(dids.contains),
        probe.showing(
          """
          \(key) changes \(before.count == 1 ? "once" : "twice"), so there must be a \
          willChangeValue(forKey: "\(key)"), inside which \(key) has its old value, and a \
          didChangeValue(forKey: "\(key)"), inside which it has the new one, each time. Nobody \
          else announces an end that comes inside main().
          """))
    }
  }

  @Test(.observesKVO, arguments: DataArrival.allCases)
  func `its states come in order`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    let probe = KVOProbe(job.operation)
    try live(job)
    let fault = NoticedLife(notices: probe.notices).fault
    #expect(
      fault == nil,
      probe.showing(
        """
        \(fault ?? "") The order is: waiting, executing, finished; and finished is final.
        """))
  }

  // notifying thread   another thread
  // sends a notice
  // waits inside it    reads the state
  //                    has read it
  // goes on
  @Test(.observesKVO) func `no lock is held while it notifies`() {
    let job = CachedLoadJob(.later)
    let current = Locked("none")
    let operation = job.operation
    let probe = KVOProbe(operation) { announcement in
      current.set("\(announcement)")
      onAnotherThread("reader") {
        _ = (operation.isExecuting, operation.isFinished, operation.data)
      }
      current.set("none")
    }
    let start: @Sendable () -> Void = { operation.start() }
    let deliver: @Sendable () -> Void = { job.deliver() }
    for (name, call) in [("start()", start), ("completion", deliver)] {
      let caller = TestThread(name, call)
      let returned = eventually(
        """
        Inside the notice "\(current.value)", which \(name) sends, another thread asked for the \
        state and got no answer: a lock is held, or its queue occupied, while the notice is sent.
        """
      ) { caller.hasReturned }
      guard returned else { return }
    }
    #expect(!probe.notices.isEmpty, "Nothing was announced.")
  }

  // one operation       another one
  // sends a will
  //                     starts: nothing to do with the first
  // changes the state
  @Test(.observesKVO) func `another operation starts meanwhile`() throws {
    let (job, other) = (CachedLoadJob(.later), CachedLoadJob(.later))
    let wills = Counter()
    let probe = KVOProbe(job.operation) {
      if case .will = $0, wills.increment() == 1 { other.operation.start() }
    }
    try mustReturn("start()") { job.operation.start() }
    withExtendedLifetime(probe) {}
    #expect(
      other.operation.isExecuting && other.loads == 1,
      """
      While one operation announced its start another one was started, and it doesn't execute. Each \
      operation has a state of its own: keep it, and the note that a thread is on its way to change it, \
      in the operation and not where all share it.
      """)
  }

  @Test func `another operation's data is its own`() throws {
    let (job, other) = (CachedLoadJob(.later), CachedLoadJob(.later))
    for job in [job, other] { try start(job) }
    try deliver(to: job)
    #expect(
      other.operation.isExecuting && other.operation.data == nil,
      """
      Of two operations one's data has come, and the other one says isExecuting=\
      \(other.operation.isExecuting) and has \(other.operation.data == nil ? "no data" : "data"). What \
      an operation has loaded must be kept in that operation, and not where all share it.
      """)
    let own = Data("another".utf8)
    try deliver(own, to: other)
    #expect(
      other.operation.data == own && job.operation.data == CachedLoadJob.data,
      "Two operations got data of their own each, and one has the other's.")
  }

  // MARK: - In a queue

  @Test(arguments: DataArrival.allCases)
  func `its queue lets go of it, and a dependent begins`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    let found = Locked<[Data?]>([])
    let operation = job.operation
    let dependent = BlockOperation { found.append(operation.data) }
    dependent.addDependency(operation)
    let queue = OperationQueue()
    queue.addOperation(operation)
    queue.addOperation(dependent)
    if arrival == .later {
      eventually("Its queue has started it, and load is never called.") { job.waitsForData }
      runUntilQuiet()
      #expect(found.value.isEmpty, "Its data hasn't come, and its dependent has begun.")
      try deliver(to: job)
    }
    expectDrained(queue, "The data has come, so the operation must be finished, and say so.")
    eventually("It is finished, but its completionBlock was never called.") {
      job.completions.value > 0
    }
    runUntilQuiet()
    expectEnd(of: job, "Its queue has let go of it.")
    #expect(
      job.completions.value == 1,
      "Its completionBlock must be called once, not \(job.completions.value) times.")
    #expect(
      found.value == [CachedLoadJob.data],
      "Its dependent must begin once, and find the data; it has found \(found.value).")
  }

  // MARK: - Cancelled

  @Test func `cancelled and then started, it ends without looking`() throws {
    let job = CachedLoadJob(.atHand)
    try mustReturn("cancel()") { job.operation.cancel() }
    #expect(
      !job.operation.isFinished && job.operation.isCancelled,
      """
      It was cancelled and hasn't been started. isCancelled must be true and isFinished false: \
      only start() may finish an operation that never worked, or its queue traps.
      """)
    try start(job)
    #expect(job.looks == 0, "It was cancelled before its start, so main() must not be called.")
    #expect(
      job.operation.isFinished && !job.operation.isExecuting && job.operation.data == nil,
      """
      It was cancelled before its start and is started now. Nobody else will ever end it, so \
      start() must leave it finished, not executing, without data.
      """)
  }

  @Test(.observesKVO) func `cancelled and then started, its end is announced`() throws {
    let job = CachedLoadJob(.atHand)
    try mustReturn("cancel()") { job.operation.cancel() }
    let probe = KVOProbe(job.operation)
    try start(job)
    let wills = probe.notices(of: .will(.isFinished)).map(\.isFinished)
    let dids = probe.notices(of: .did(.isFinished)).map(\.isFinished)
    #expect(
      wills == [false] && dids == [true],
      probe.showing(
        """
        It was cancelled, and its start has ended it. That must be announced like any other end: \
        one "will isFinished", inside which it's false, and one "did isFinished", inside which \
        it's true.
        """))
    #expect(
      probe.notices.allSatisfy { !$0.isExecuting },
      probe.showing("It was cancelled before its start, and says on the way that it executes."))
  }

  // queue           operation
  // suspended       waits
  //                 cancelled
  //                 must wait
  // goes on
  //                 is finished
  @Test func `cancelled in its queue, it ends when its turn comes`() throws {
    let job = CachedLoadJob(.atHand)
    let queue = OperationQueue()
    queue.isSuspended = true
    queue.addOperation(job.operation)
    try mustReturn("cancel()") { job.operation.cancel() }
    runUntilQuiet()
    #expect(
      !job.operation.isFinished,
      "It is finished before its queue has started it. cancel() only asks; start() ends it.")
    queue.isSuspended = false
    expectDrained(queue, "A cancelled operation's turn has come: start() must finish it.")
    #expect(job.looks == 0, "It was cancelled before its turn, so main() must not be called.")
  }

  @Test func `cancelled while it loads, it goes on until the data comes`() throws {
    let job = CachedLoadJob(.later)
    try start(job)
    try mustReturn("cancel()") { job.operation.cancel() }
    #expect(
      job.operation.isExecuting && !job.operation.isFinished,
      """
      It was cancelled while the data was on its way, and says that it's over: dependents would \
      begin beside work that still runs. cancel() only asks.
      """)
    try deliver(to: job)
    expectEnd(of: job, "It was cancelled, and then the data came.")
  }

  // cached         load
  // cancels it
  //                must be called
  @Test func `cancelled while it looks, it loads all the same`() throws {
    let job = CachedLoadJob(.later) { $0.cancel() }
    try start(job)
    #expect(
      job.loads == 1 && job.operation.isExecuting && !job.operation.isFinished,
      """
      It was cancelled inside cached, when it had started. It must go on, and load the data: load \
      was called \(job.loads) times, isFinished=\(job.operation.isFinished).
      """)
    try deliver(to: job)
    expectEnd(of: job, "It was cancelled while it looked, and then the data came.")
  }

  // MARK: - Who keeps whom

  @Test func `who keeps the completion keeps it`() throws {
    let kept = Locked<[CachedLoadOperation.Completion]>([])
    let watch = try startedAndDropped(kept)
    // The thread that has started it lets go of it, too.
    runUntilQuiet()
    #expect(
      !watch.isGone,
      """
      It was started by hand and works, and nobody keeps it but the completion that it has handed \
      out: and it's gone. Let the completion capture it strongly, so that it can end.
      """)
    try mustReturn("completion") {
      for completion in kept.value { completion(CachedLoadJob.data) }
    }
    #expect(
      watch.value?.isFinished ?? true, "The data has come, so the operation must be finished.")
  }

  private func startedAndDropped(
    _ kept: Locked<[CachedLoadOperation.Completion]>
  ) throws -> WeakReference<CachedLoadOperation> {
    let operation = CachedLoadOperation {
      nil
    } load: {
      kept.append($0)
    }
    try mustReturn("start()") { operation.start() }
    return WeakReference(operation)
  }

  // MARK: - Many threads

  // working thread            another thread
  // changes the state
  // begins to announce it     reads it: nothing but a lock of the answer's orders the two
  // goes on
  @Test(.observesKVO) func `its state may be read while it starts`() throws {
    let job = CachedLoadJob(.later)
    let operation = job.operation
    try meetInsideNotice(
      of: operation, "start()", { operation.start() },
      "isExecuting", { _ = operation.isExecuting })
    #expect(operation.isExecuting, "start() has returned, so isExecuting must be true.")
  }

  @Test(.observesKVO) func `its state may be read while it finishes`() throws {
    try call("isFinished", whileItFinishes: { _ = $0.operation.isFinished })
  }

  @Test(.observesKVO) func `its data may be read while it finishes`() throws {
    try call("data", whileItFinishes: { _ = $0.operation.data })
  }

  @Test(.observesKVO) func `the second data may come while it finishes`() throws {
    try call("the second completion", whileItFinishes: { $0.deliver(Data("another".utf8)) })
  }

  private func call(
    _ name: String, whileItFinishes look: @escaping @Sendable (CachedLoadJob) -> Void
  ) throws {
    let job = CachedLoadJob(.later)
    try start(job)
    try meetInsideNotice(of: job.operation, "completion", { job.deliver() }, name) { look(job) }
    expectEnd(of: job, "The data has come.")
  }
}
