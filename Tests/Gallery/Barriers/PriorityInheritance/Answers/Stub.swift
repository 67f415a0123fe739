// Page: make page KATA=PriorityInheritance (Docs/ConcurrencyKatas.docc/PriorityInheritance.md)

/// A processor on paper, which shows which job works when: with priority inheritance and without.
///
/// No thread runs here. Jobs are lists of steps, and the scheduler says what one processor would do
/// with them, tick by tick. So a schedule that takes a week to appear on a machine appears every
/// time.
///
/// ```swift
/// let jobs = PriorityInheritance([
///   .init("weather", priority: 1, steps: [.lock("bus"), .work(3), .unlock("bus")]),
///   .init("radio", priority: 2, start: 2, steps: [.work(4)]),
///   .init("bus check", priority: 3, start: 1, steps: [.lock("bus"), .work(1), .unlock("bus")]),
/// ])
/// jobs.trace(inheriting: false)  // the bus check comes last
/// jobs.trace(inheriting: true)  // the radio does
/// ```
///
/// The rules leave nothing to chance. First, which job works next:
///
/// - The next step is made by the job with the highest priority, of those that have started, have
///   steps left and don't wait for a lock.
/// - Among jobs of equal priority the one that is listed first goes first.
/// - After every step, and after every tick of work, it's decided anew which job is next.
/// - A step of work of `n` ticks takes `n` turns, of a tick each.
/// - Locking and unlocking take no time.
///
/// Then, what happens to locks:
///
/// - A job that asks for a free lock takes it; a lock that was given back while no job waited for
///   it is free again.
/// - A job that asks for a lock that another job has waits for it, and has no turn until it gets
///   the lock.
/// - A lock that is given back goes at once to the job with the highest priority at that moment, of
///   those that wait for it; among equals, to the one that is listed first.
/// - A job that gets the lock it waits for doesn't ask for it again: it goes on with the step
///   after.
///
/// A job inherits only if the trace asks for it:
///
/// - With inheritance, the priority of a job that has locks is the highest among its own and those
///   of all jobs that wait for one of these locks.
/// - A job that waits passes on what it has inherited itself, however long the chain of waiting
///   jobs is.
/// - A job has an inherited priority only as long as a job with that priority waits for one of its
///   locks.
/// - Without inheritance each job has its own priority.
///
/// And what the trace shows:
///
/// - The trace has an element for each tick, from tick 0 on: the name of the job that works, or
///   `nil` in an idle tick.
/// - A tick in which no job can work is idle, if a job that has steps starts later.
/// - The trace ends when no job can ever make a step again: when all jobs are done, or the rest
///   wait for each other.
///
/// Source: Sha, Rajkumar and Lehoczky, "Priority Inheritance Protocols: An Approach to Real-Time
/// Synchronization", 1990.
///
/// Your turn, in the three steps marked below. There is a scheduler already, but it knows neither
/// priorities nor locks: the job that is listed first works until it's done. Begin with
/// `mostUrgent`, go on with locking and unlocking, and then let jobs inherit. A job may hold
/// several locks, may wait for a job that waits itself, and must not keep what it has inherited. So
/// don't store inherited priorities: compute them anew each time, from which job waits for which
/// lock.
public struct PriorityInheritance: Sendable {
  /// Something that a job does.
  public enum Step: Equatable, Sendable {
    /// It works for so many ticks.
    case work(Int)
    /// It acquires the lock of this name, or waits for it.
    case lock(String)
    /// It releases the lock of this name.
    case unlock(String)
  }

  /// A list of steps, with a name and a priority.
  public struct Job: Equatable, Sendable {
    /// What the job is called in the trace.
    ///
    /// - Several jobs may have the same name, and a name may be empty.
    public let name: String
    /// How urgent the job is.
    ///
    /// - A priority may be any `Int`, also below zero.
    public let priority: Int
    /// When the job starts.
    ///
    /// - A job can work from the tick `start` on.
    public let start: Int
    /// What it does, in this order.
    public let steps: [Step]

    /// Creates a job.
    ///
    /// The caller must pass a job that starts at tick 0 or later and works for one tick or more at
    /// a time. It must acquire no lock that it holds, release only locks that it holds, and have
    /// released all of them in the end.
    public init(_ name: String, priority: Int, start: Int = 0, steps: [Step]) {
      precondition(start >= 0, "\(name) can't start at \(start): time begins at 0")
      var has: Set<String> = []
      for step in steps {
        switch step {
        case .work(let ticks): precondition(ticks > 0, "\(name) can't work for \(ticks) ticks")
        case .lock(let lock): precondition(has.insert(lock).inserted, "\(name) has \(lock) already")
        case .unlock(let lock): precondition(has.remove(lock) != nil, "\(name) hasn't got \(lock)")
        }
      }
      precondition(has.isEmpty, "\(name) never gives back \(has.sorted())")
      self.name = name
      self.priority = priority
      self.start = start
      self.steps = steps
    }
  }

  /// The jobs, as they are listed.
  public let jobs: [Job]

  /// Creates a processor with `jobs` to do.
  public init(_ jobs: [Job]) {
    self.jobs = jobs
  }

  /// Which job works in each tick.
  ///
  /// - Parameter inheriting: Whether jobs inherit the priority of those that wait for their locks.
  /// - Returns: The trace.
  public func trace(inheriting: Bool) -> [String?] {
    var processor = Processor(jobs: jobs, inherits: inheriting)
    return processor.run()
  }
}

/// The state of a processor; jobs are identified by their numbers.
private struct Processor {
  private let jobs: [PriorityInheritance.Job]
  private let inherits: Bool
  private var trace: [String?] = []
  /// For each job the number of its next step.
  private var next: [Int]
  /// For each job how long it has worked at that step.
  private var worked: [Int]
  /// For each lock that isn't free, the job that holds it.
  private var holders: [String: Int] = [:]
  /// For each waiting job, the lock that it waits for.
  private var wanted: [Int: String] = [:]

  init(jobs: [PriorityInheritance.Job], inherits: Bool) {
    self.jobs = jobs
    self.inherits = inherits
    next = jobs.map { _ in 0 }
    worked = next
  }

  mutating func run() -> [String?] {
    while true {
      let unfinished = jobs.indices.filter { next[$0] < jobs[$0].steps.count }
      let started = unfinished.filter { jobs[$0].start <= trace.count }
      if let job = mostUrgent(of: started.filter { wanted[$0] == nil }) {
        makeStep(job)
      } else if started.count < unfinished.count {
        trace.append(nil)
      } else {
        return trace
      }
    }
  }

  private mutating func makeStep(_ job: Int) {
    switch jobs[job].steps[next[job]] {
    case .work(let ticks):
      trace.append(jobs[job].name)
      worked[job] += 1
      if worked[job] == ticks {
        worked[job] = 0
        next[job] += 1
      }
    case .lock:
      // TODO: Step 2: acquire the lock and go on, or wait for it.
      next[job] += 1
    case .unlock:
      // TODO: Step 2: hand the lock to a waiting job, which goes on after its `lock` step.
      next[job] += 1
    }
  }

  private func mostUrgent(of candidates: [Int]) -> Int? {
    // TODO: Step 1: the job with the highest priority; among equals, the one that is listed first.
    candidates.first
  }

  /// The priority that each job has now, with what it inherits.
  private var priorities: [Int] {
    // TODO: Step 3: if jobs inherit, a lock's holder inherits from the jobs that wait for it.
    jobs.map(\.priority)
  }
}
