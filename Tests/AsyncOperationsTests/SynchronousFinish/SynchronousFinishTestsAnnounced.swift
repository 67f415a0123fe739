import Foundation
import KataTesting
import Testing

extension SynchronousFinishTests {
  // MARK: - What is announced

  @Test(.observesKVO, arguments: [DataArrival.atHand, .insideLoad])
  func `an end inside main is announced inside main`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    let strays = SharedCounter()
    let operation = job.operation
    let starter = ThreadMark()
    let probe = KVOProbe(operation) { _ in
      if !starter.isCurrent { strays.increment() }
    }
    try mustReturn("start()", "Is a lock held while it notifies or calls a closure?") {
      starter.note()
      operation.start()
    }
    runUntilQuiet()
    #expect(
      strays.value == 0,
      probe.showing(
        """
        The data was there before main() had returned, but the end was announced later, by another \
        thread. It must be announced at once: if executing is set before main(), the end may come \
        at any time.
        """))
  }

  @Test(.observesKVO, arguments: DataArrival.allCases)
  func `the data is there when its end is announced`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    let heard = LockedValue<[Data?]>([])
    let operation = job.operation
    let probe = KVOProbe(operation) {
      if $0 == .did(.isFinished), operation.isFinished { heard.append(operation.data) }
    }
    try live(job)
    #expect(
      !heard.value.isEmpty && heard.value.allSatisfy { $0 == CachedLoadJob.data },
      probe.showing(
        """
        Inside "did isFinished" an observer reads the data, and must find it. Store the data \
        first, or together with the change; then announce the end.
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
          \(key) changes \(before.count == 1 ? "once" : "twice"). Each time there must be a \
          willChangeValue(forKey: "\(key)"), inside which \(key) has its old value, and a \
          didChangeValue(forKey: "\(key)"), inside which it has the new one. If the end comes \
          inside main(), Foundation doesn't send them for you.
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
    let current = LockedValue("none")
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
        Inside the notice "\(current.value)", which \(name) sends, another thread read the state, \
        and the call didn't return: a lock is held, or its queue occupied, while the notice is sent.
        """
      ) { caller.hasReturned }
      guard returned else { return }
    }
    #expect(!probe.notices.isEmpty, "Nothing was announced.")
  }

  // one operation       another one
  // sends a will
  //                     starts: independent of the first
  // changes the state
  @Test(.observesKVO) func `another operation may start meanwhile`() throws {
    let (job, other) = (CachedLoadJob(.later), CachedLoadJob(.later))
    let wills = SharedCounter()
    let probe = KVOProbe(job.operation) {
      if case .will = $0, wills.increment() == 1 { other.operation.start() }
    }
    try mustReturn("start()") { job.operation.start() }
    withExtendedLifetime(probe) {}
    #expect(
      other.operation.isExecuting && other.loads == 1,
      """
      While one operation announced its start another one was started, but it doesn't execute. \
      Each operation has a state of its own: keep it, and the flag that a change is being made, in \
      the operation and not in a place that all share.
      """)
  }

  @Test func `another operation's data is its own`() throws {
    let (job, other) = (CachedLoadJob(.later), CachedLoadJob(.later))
    for job in [job, other] { try start(job) }
    try deliver(to: job)
    #expect(
      other.operation.isExecuting && other.operation.data == nil,
      """
      One of two operations has received its data; the other has \
      isExecuting=\(other.operation.isExecuting) and \
      \(other.operation.data == nil ? "no data" : "data"). It must be executing, without data: \
      keep what an operation has loaded in that operation, and not in a place that all share.
      """)
    let own = Data("another".utf8)
    try deliver(own, to: other)
    #expect(
      other.operation.data == own && job.operation.data == CachedLoadJob.data,
      "Two operations received different data, but one has the other's.")
  }

  // MARK: - In a queue

  @Test(arguments: DataArrival.allCases)
  func `its queue removes it, and a dependent begins`(arrival: DataArrival) throws {
    let job = CachedLoadJob(arrival)
    let found = LockedValue<[Data?]>([])
    let operation = job.operation
    let dependent = BlockOperation { found.append(operation.data) }
    dependent.addDependency(operation)
    let queue = OperationQueue()
    queue.addOperation(operation)
    queue.addOperation(dependent)
    if arrival == .later {
      eventually("Its queue has started it, but load is never called.") { job.waitsForData }
      runUntilQuiet()
      #expect(found.value.isEmpty, "Its data hasn't arrived, but its dependent has begun.")
      try deliver(to: job)
    }
    expectDrained(queue, "The data has arrived: it must be finished, and announce its end.")
    eventually("It is finished, but its completionBlock was never called.") {
      job.completions.value > 0
    }
    runUntilQuiet()
    expectEnd(of: job, "Its queue has removed it.")
    #expect(
      job.completions.value == 1,
      "Its completionBlock must be called once, not \(job.completions.value) times.")
    #expect(
      found.value == [CachedLoadJob.data],
      "Its dependent must begin once, and find the data; it found \(found.value).")
  }
}
