/// A job that has inherited a priority keeps it.
public struct PriorityInheritance: Sendable {
  public enum Step: Equatable, Sendable {
    case work(Int)
    case lock(String)
    case unlock(String)
  }

  public struct Job: Equatable, Sendable {
    public let name: String
    public let priority: Int
    public let start: Int
    public let steps: [Step]

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

  public let jobs: [Job]

  public init(_ jobs: [Job]) {
    self.jobs = jobs
  }

  public func trace(inheriting: Bool) -> [String?] {
    let tasks = jobs.enumerated().map { Task($0, $1) }
    var trace: [String?] = []
    while true {
      let unfinished = tasks.filter { !$0.rest.isEmpty }
      let started = unfinished.filter { $0.start <= trace.count }
      if let task = Task.first(of: started.filter { $0.awaited == nil }) {
        if task.makeStep(tasks, inheriting) { trace.append(task.name) }
      } else if started.count < unfinished.count {
        trace.append(nil)
      } else {
        return trace
      }
    }
  }

  /// A job that is being done.
  private final class Task {
    let number: Int
    let name: String
    let start: Int
    let own: Int
    var priority: Int
    var rest: ArraySlice<Step>
    var held: [String] = []
    var awaited: String?

    init(_ number: Int, _ job: Job) {
      self.number = number
      name = job.name
      start = job.start
      own = job.priority
      priority = job.priority
      rest = job.steps[...]
    }

    static func first(of tasks: [Task]) -> Task? {
      tasks.sorted { ($1.priority, $0.number) < ($0.priority, $1.number) }.first
    }

    /// Makes a step, and returns whether it took a tick.
    func makeStep(_ all: [Task], _ inheriting: Bool) -> Bool {
      switch rest.removeFirst() {
      case .work(let ticks):
        if ticks > 1 { rest = [.work(ticks - 1)] + rest }
        return true
      case .lock(let lock):
        if let holder = all.first(where: { $0.held.contains(lock) }) {
          awaited = lock
          if inheriting { holder.raise(to: priority, all) }
        } else {
          held.append(lock)
        }
      case .unlock(let lock):
        held.removeAll { $0 == lock }
        if let heir = Task.first(of: all.filter { $0.awaited == lock }) {
          heir.awaited = nil
          heir.held.append(lock)
          if inheriting { heir.settle(all) }
        }
      }
      return false
    }

    private func raise(to urgent: Int, _ all: [Task]) {
      guard priority < urgent else { return }
      priority = urgent
      if let lock = awaited { all.first { $0.held.contains(lock) }?.raise(to: urgent, all) }
    }

    private func settle(_ all: [Task]) {
      let waiting = all.filter { task in task.awaited.map { held.contains($0) } ?? false }
      priority = waiting.map(\.priority).reduce(own, max)
    }
  }
}
