import KataTesting

/// What the readers–writers rules are about: a store with readers and writers inside.
protocol ReadersWritersStore: Sendable {
  init()

  /// Calls `body` as a read; blocks until `body` has returned.
  func readInside(_ body: () -> Void)

  /// Calls `body` as a change, or submits it to be called later.
  func writeInside(_ body: @escaping @Sendable () -> Void)
}

/// The readers–writers rules, for any order of arrivals and departures.
struct ReadersAndWriters<Store: ReadersWritersStore>: ScriptedModel {
  enum Move: CustomStringConvertible {
    case read(String)
    case write(String)
    case leave(String)

    var description: String {
      switch self {
      case .read(let who): "\(who) asks to read"
      case .write(let who): "\(who) asks to write"
      case .leave(let who): "\(who) leaves"
      }
    }
  }

  let timeline = Timeline()
  private let store = Store()
  /// Every reader and writer so far, in order of arrival, with the gate that keeps it inside.
  private var asked: [(who: String, gate: Gate)] = []

  func moves() -> [Move] {
    let inside = timeline.inside
    let waiting = asked.count - timeline.orderOfEntry.count
    let next = asked.count + 1
    let newcomers: [Move] =
      waiting + inside.count < 4 ? [.read("reader \(next)"), .write("writer \(next)")] : []
    return newcomers + inside.map { .leave($0) }
  }

  mutating func make(_ move: Move) {
    let (store, timeline) = (store, timeline)
    switch move {
    case .read(let who):
      let gate = Gate(who)
      asked.append((who, gate))
      _ = TestThread(who) { store.readInside { timeline.visit(who, until: gate) } }
    case .write(let who):
      let gate = Gate(who)
      asked.append((who, gate))
      _ = TestThread(who) { store.writeInside { timeline.visit(who, until: gate) } }
    case .leave(let who):
      asked.first { $0.who == who }?.gate.open()
    }
  }

  mutating func broken() -> String? {
    let inside = timeline.inside
    let writers = inside.filter { $0.hasPrefix("writer") }
    let entered = Set(timeline.orderOfEntry)
    let waiting = asked.map(\.who).filter { !entered.contains($0) }
    if let writer = writers.first, inside.count > 1 {
      let other = inside.first { $0 != writer } ?? ""
      return "\(writer) and \(other) are inside together. A write must run alone."
    }
    if inside.isEmpty, let first = waiting.first {
      return "No thread is inside, and yet \(first) still waits."
    }
    if writers.isEmpty, let first = waiting.first,
      waiting.allSatisfy({ $0.hasPrefix("reader") })
    {
      return "Only readers are inside and no writer waits, and yet \(first) has to wait."
    }
    return nil
  }
}
