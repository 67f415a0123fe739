import Foundation
import KataTesting
import Testing

/// Proves that work that ends before main returns ends the operation once, announced in order, as
/// later work does.
@Suite(.serialized, .kata) struct SynchronousFinishTests {
  let timeline = Timeline()

  // MARK: - The end comes early

  // start()       main()        the end
  // begins
  //               calls cached
  //                             the data is at hand: finished
  //               returns
  // continues: what it does now comes after the end
  @Test func `data at hand ends it at once`() throws {
    let job = CachedLoadJob(.atHand)
    try start(job)
    expectEnd(
      of: job,
      """
      The data was at hand, so the end came inside main(), before start() continued. If start() \
      sets a state after main(), it overwrites the end. Begin with start().
      """)
    #expect(job.loads == 0, "The data was at hand, but load was called too.")
  }

  @Test func `empty data at hand ends it too`() throws {
    let loads = SharedCounter()
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
      Empty data was at hand; only nil means that no data is. It must be finished with empty data \
      and load nothing; here isFinished=\(operation.isFinished), \
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
      operation, whatever its data; here isFinished=\(operation.isFinished), \
      \(operation.data.map { "\($0.count) bytes" } ?? "no data").
      """)
  }

  // main()        load
  //               calls the completion, which returns
  //               reads: finished
  // returns
  @Test(arguments: [DataArrival.insideLoad, .fromAnotherThread])
  func `it has ended when the completion returns`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    try start(job)
    #expect(
      job.ends.value == [Reading(isExecuting: false, isFinished: true)],
      """
      The completion was called inside load, and has returned. It must end the operation before it \
      returns, even inside main(); here it was \(job.ends.value.map(\.description)). Don't delay \
      the end.
      """)
  }

  @Test(arguments: [DataArrival.insideLoad, .fromAnotherThread])
  func `data that comes before load returns ends it`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    try start(job)
    expectEnd(
      of: job, "The completion was called before load had returned; it must count like any other.")
  }

  @Test(arguments: DataArrival.allCases)
  func `it executes while cached and load are called`(arrival: DataArrival) throws {
    let inside = LockedValue<[Reading]>([])
    let job = CachedLoadJob(arrival) { inside.append(Reading($0)) }
    try live(job)
    #expect(
      inside.value.count == (arrival == .atHand ? 1 : 2)
        && inside.value.allSatisfy { $0 == Reading(isExecuting: true, isFinished: false) },
      """
      Inside cached and load the operation must be executing and not finished, and each is called \
      once. It was read \(inside.value.count) times: \(inside.value.map(\.description)). Change \
      the state to executing before you call main().
      """)
  }

  @Test func `cached and load are called on the thread that starts it`() throws {
    let (starter, strays) = (ThreadMark(), SharedCounter())
    let job = CachedLoadJob(.insideLoad) { _ in
      if !starter.isCurrent { strays.increment() }
    }
    try mustReturn("start()", "Is a lock held while it notifies or calls a closure?") {
      starter.note()
      job.operation.start()
    }
    #expect(job.looks == 1 && job.loads == 1, "cached and load must be called once each.")
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
      "It was started, but never announced that it executes: call willChangeValue(forKey:)."
    ) { goesOn.waiting > 0 || starter.hasReturned }
    let isEarly = !timeline.expect(
      "the notice  ├────…",
      """
      start() was still announcing that it's going to execute, but the work had already begun. The \
      work may end at any moment, and then the operation must be executing already.
      """)
    goesOn.open()
    guard !isEarly else { return }
    timeline.expect(
      """
      the notice  ├────┤
      the work              ├────┤
      """, "It has announced that it's going to execute: now its work must begin, once.")
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
      load has returned and the data hasn't arrived. The operation must be executing until then; \
      here isExecuting=\(job.operation.isExecuting), isFinished=\(job.operation.isFinished).
      """)
    #expect(
      job.operation.isAsynchronous, "isAsynchronous must be true: its work may outlast start().")
    try deliver(to: job)
    expectEnd(of: job, "The data has arrived.")
  }

  @Test func `the second data has no effect`() throws {
    let job = CachedLoadJob(.later)
    try live(job)
    try deliver(Data("another picture".utf8), to: job)
    expectEnd(of: job, "The completion was called a second time; only the first call counts.")
  }

  @Test(.observesKVO) func `the second data has no effect while the first is announced`() throws {
    let job = CachedLoadJob(.later)
    try start(job)
    let heard = LockedValue<[Data?]>([])
    let notices = SharedCounter()
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
      Inside a notice of the end, another thread called the completion a second time, and waits: a \
      lock is held, or a queue occupied, while the notice is sent.
      """)
    guard returned else { return }
    #expect(
      !heard.value.isEmpty && heard.value.allSatisfy { $0 == CachedLoadJob.data },
      probe.showing(
        """
        Two threads called the completion at the same moment. The first was announcing the end \
        when the second came, and the observers of the end must find the first one's data; they \
        didn't. Decide in one step, under the lock, and set a flag there.
        """))
    expectEnd(of: job, "Two threads called the completion; only the first call counts.")
  }
}
