import Foundation
import KataTesting
import Testing

/// Proves that work which ends before main has returned ends the operation once, announced in order, as
/// later work does.
@Suite(.serialized, .kata) struct SynchronousFinishTests {
  let timeline = Timeline()

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
    let inside = LockedValue<[Reading]>([])
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
    let (starter, strays) = (ThreadMark(), SharedCounter())
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
}
