import Foundation
import KataPoints

/// A place in the code under test, reached from one caller, and which of a thread's visits to it, from 1.
struct SchedulePoint: Hashable, Sendable {
  let place: UInt
  /// Where the place's function was called from; 0 where that isn't known.
  let caller: UInt
  /// The scenario's thread, from 0; nil for the code's own, which count as one.
  var thread: Int?
  var hit: Int

  fileprivate init(_ point: kata_point) {
    place = point.place
    caller = point.caller
    thread = point.thread == 0 ? nil : Int(point.thread) - 1
    hit = Int(point.hit)
  }

  /// Another visit to the same place, or another thread's.
  func with(thread: Int?, hit: Int) -> SchedulePoint {
    var point = self
    (point.thread, point.hit) = (thread, hit)
    return point
  }

  fileprivate var asPoint: kata_point {
    kata_point(
      place: place, caller: caller, thread: Int32(thread.map { $0 + 1 } ?? 0), hit: Int32(hit))
  }
}

/// How the threads of a run take turns.
struct Schedule: Hashable, Sendable {
  /// The scenario's threads in the order in which they begin, each when nothing of those before it moves any more; nil
  /// where all begin at once.
  let order: [Int]?
  /// A thread is held at each of these points until nothing else can go on.
  var points: [SchedulePoint] = []

  /// All threads begin at once, and nobody is held.
  static let asItComes = Schedule(order: nil)
}

/// What happened in a run, in its order.
struct ScenarioEvent: Sendable {
  enum Kind: Equatable, Sendable {
    case began(call: Int)
    case returned(call: Int, result: String)
    /// At a point, in a function that was called from the first of these, and so on.
    case held(SchedulePoint, callers: [UInt])
    case wentOn
  }

  let kind: Kind
  /// The scenario's thread, from 0; nil where it's one of the code under test's own.
  let thread: Int?
  let tick: Int64
}

/// One side of a race.
struct RacyAccess: Sendable {
  let place: UInt
  /// Where the place's function was called from, and so on.
  let callers: [UInt]
  let isWrite: Bool
}

/// One run of a scenario.
struct ScenarioRun: Sendable {
  let outcome: ScenarioOutcome
  let events: [ScenarioEvent]
  /// The places that were reached, and how often.
  let reached: [SchedulePoint]
  /// Where two threads used the same memory with nothing that kept them apart.
  let race: (held: RacyAccess, other: RacyAccess)?
  /// Whether nothing moved any more in the end.
  let isQuiet: Bool

  /// Whether a call of another thread was under way when this one began.
  func isUnderWay(before thread: Int?) -> Bool {
    var calls = 0
    for event in events {
      switch event.kind {
      case .began:
        if event.thread == thread { return calls > 0 }
        calls += 1
      case .returned: calls -= 1
      case .held, .wentOn: break
      }
    }
    return true
  }
}

extension Scenario {
  /// So many seconds of work may pass until a run is at rest, before a longer look; a call that spins never is.
  private static var patience: Double { min(Patience.seconds, 2) }
  /// So many may pass while a thread is held, or hasn't begun: where another spins until that one goes on, nothing is ever
  /// at rest.
  private static var patienceWhileHeld: Double { 0.05 }

  /// Runs the scenario once, on threads of `all`.
  ///
  /// Blocks the calling thread until nothing moves any more, with a bound. Before anything is held against the subject,
  /// a longer look makes sure that it's all over.
  func run(
    _ schedule: Schedule, on all: ScenarioThreads, isExpected: (ScenarioOutcome) -> Bool
  ) -> ScenarioRun {
    let subject = subject.make()
    let log = LockedValue<[ScenarioEvent]>([])
    let idle = all.idle(threads.count)
    let points = schedule.points.map(\.asPoint)
    kata_points_begin(points, Int32(points.count))
    var isQuiet = false
    for (position, thread) in (schedule.order ?? Array(idle.indices)).enumerated() {
      let calls = threads[thread]
      idle[thread].perform {
        for (index, call) in calls.enumerated() {
          log.note(.began(call: index), thread)
          log.note(.returned(call: index, result: call.perform(subject)), thread)
        }
      }
      let isLast = position == idle.count - 1
      if isLast || schedule.order != nil { isQuiet = waitUntilQuiet(allHaveBegun: isLast) }
    }
    while let held = Self.heldLongest(of: points.count) {
      kata_points_let_go(held)
      isQuiet = waitUntilQuiet(allHaveBegun: true)
    }
    let (reached, race) = (Self.reached(), Self.race())
    var holds: [ScenarioEvent] = []
    for (index, point) in schedule.points.enumerated() {
      let hold = kata_points_hold(Int32(index))
      guard hold.was_held else { continue }
      holds.append(
        ScenarioEvent(
          kind: .held(point, callers: hold.ownCallers), thread: point.thread, tick: hold.held))
      holds.append(ScenarioEvent(kind: .wentOn, thread: point.thread, tick: hold.went_on))
    }
    kata_points_end()
    var outcome = outcome(of: subject, log.value)
    if !isQuiet || !isExpected(outcome) {
      isQuiet = Quiet.wait(PatienceMeter(seconds: Self.patience)) != .busy
      outcome = self.outcome(of: subject, log.value)
    }
    let events = (log.value + holds).sorted { $0.tick < $1.tick }
    self.subject.letGo(subject)
    // What comes to its end now belongs to no other run.
    if !all.areIdle { waitUntilQuiet(allHaveBegun: false) }
    return ScenarioRun(
      outcome: outcome, events: events, reached: reached, race: race, isQuiet: isQuiet)
  }

  private func outcome(of subject: Subject, _ events: [ScenarioEvent]) -> ScenarioOutcome {
    var results = threads.map { _ in [String]() }
    for event in events {
      guard case .returned(_, let result) = event.kind, let thread = event.thread else { continue }
      results[thread].append(result)
    }
    return ScenarioOutcome(results: results, end: self.subject.end(subject))
  }

  /// Waits until nothing moves, with a bound; whether nothing does.
  ///
  /// The bound is short as long as a thread may spin until another goes on that is held, or hasn't begun.
  @discardableResult
  private func waitUntilQuiet(allHaveBegun: Bool) -> Bool {
    let patience = PatienceMeter(seconds: Self.patience)
    var short: PatienceMeter?
    while !Self.isQuietNow {
      if !allHaveBegun || kata_points_held_count() > 0 {
        let meter = short ?? PatienceMeter(seconds: Self.patienceWhileHeld)
        short = meter
        if meter.isUsedUp { return false }
      }
      if patience.isUsedUp { return false }
      usleep(20)
    }
    return true
  }

  /// The hold that a thread has been held at for longest; nil where none is held.
  private static func heldLongest(of holds: Int) -> Int32? {
    (0..<Int32(holds)).map { (index: $0, hold: kata_points_hold($0)) }
      .filter { $0.hold.was_held && $0.hold.went_on == 0 }
      .min { $0.hold.held < $1.hold.held }?.index
  }

  /// Whether every thread but the caller's sleeps, as far as a quick look shows.
  private static var isQuietNow: Bool {
    guard Quiet.isObservable() else {
      Thread.sleep(forTimeInterval: Quiet.fallbackWindow)
      return true
    }
    return ThreadSnapshot.isAllAsleep
  }

  private static func race() -> (held: RacyAccess, other: RacyAccess)? {
    let race = kata_points_race()
    guard race.held != 0 else { return nil }
    return (
      RacyAccess(
        place: race.held, callers: withUnsafeBytes(of: race.held_callers, places(in:)),
        isWrite: race.held_writes),
      RacyAccess(
        place: race.other, callers: withUnsafeBytes(of: race.other_callers, places(in:)),
        isWrite: race.other_writes)
    )
  }

  private static func reached() -> [SchedulePoint] {
    var capacity = 1024
    while true {
      var points: [SchedulePoint] = []
      let count = withUnsafeTemporaryAllocation(of: kata_point.self, capacity: capacity) { room in
        let count = Int(kata_points_reached(room.baseAddress, Int32(capacity)))
        points = room.prefix(min(count, capacity)).map(SchedulePoint.init)
        return count
      }
      if count <= capacity { return points }
      capacity = count
    }
  }
}

extension kata_hold {
  fileprivate var ownCallers: [UInt] { withUnsafeBytes(of: callers, places(in:)) }
}

/// The places in an array of C's, which ends with the first 0.
private func places(in array: UnsafeRawBufferPointer) -> [UInt] {
  Array(array.bindMemory(to: UInt.self).prefix { $0 != 0 })
}

extension LockedValue<[ScenarioEvent]> {
  fileprivate func note(_ kind: ScenarioEvent.Kind, _ thread: Int) {
    withLock { $0.append(ScenarioEvent(kind: kind, thread: thread, tick: kata_points_tick())) }
  }
}
