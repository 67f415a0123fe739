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
enum Schedule: Hashable, Sendable {
  /// Each begins when nothing of those before it moves any more.
  case oneAfterAnother
  /// All begin at once.
  case asItComes
  /// A thread is held at each of these points until nothing else can go on. Threads that are to be held begin first,
  /// one after another; then all others at once.
  case holding([SchedulePoint])

  /// The points at which a thread is held.
  var points: [SchedulePoint] {
    if case .holding(let points) = self { points } else { [] }
  }
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
}

extension Scenario {
  /// So many seconds of work may pass until a run is at rest; a call that spins never is.
  private static var patience: Double { min(Patience.seconds, 2) }
  /// So many may pass while a thread is held: where another spins until that one goes on, nothing is ever at rest.
  private static var patienceWhileHeld: Double { 0.05 }

  /// Runs the scenario once.
  ///
  /// Blocks the calling thread until nothing moves any more, with a bound.
  func run(_ schedule: Schedule) -> ScenarioRun {
    let subject = subject.make()
    let log = Locked<[ScenarioEvent]>([])
    let gates = threads.map { _ in Gate("start") }
    for (thread, calls) in threads.enumerated() {
      Thread.start {
        kata_points_enter(Int32(thread) + 1)
        gates[thread].wait()
        for (index, call) in calls.enumerated() {
          log.note(.began(call: index), thread)
          log.note(.returned(call: index, result: call.perform(subject)), thread)
        }
      }
    }
    let points = schedule.points.map(\.asPoint)
    _ = wait(timersInPlay: true) { gates.allSatisfy { $0.waiting == 1 } }
    kata_points_begin(points, Int32(points.count))
    // Who is to be held runs alone until it is, so that the same comes of it in every run.
    for (index, point) in schedule.points.enumerated() {
      guard let thread = point.thread else { continue }
      gates[thread].open()
      waitUntilHeld(at: index)
    }
    for gate in gates {
      gate.open()
      if schedule == .oneAfterAnother { waitUntilHeld(at: 0) }
    }
    let isQuiet = letGoOnceQuiet(points.count)
    let reached = Self.reached()
    let race = Self.race()
    var events = log.value
    for (index, point) in schedule.points.enumerated() {
      let hold = kata_points_hold(Int32(index))
      guard hold.was_held else { continue }
      events.append(
        ScenarioEvent(
          kind: .held(point, callers: hold.ownCallers), thread: point.thread, tick: hold.held))
      events.append(ScenarioEvent(kind: .wentOn, thread: point.thread, tick: hold.went_on))
    }
    kata_points_end()
    events.sort { $0.tick < $1.tick }
    var results = threads.map { _ in [String]() }
    for event in events {
      guard case .returned(_, let result) = event.kind, let thread = event.thread else { continue }
      results[thread].append(result)
    }
    let end = self.subject.end(subject)
    self.subject.letGo(subject)
    return ScenarioRun(
      outcome: ScenarioOutcome(results: results, end: end), events: events,
      reached: reached, race: race, isQuiet: isQuiet)
  }

  /// Waits until a thread is held at a point of the schedule's, where there is one, or nothing moves, with a bound.
  private func waitUntilHeld(at index: Int) {
    let patience = PatienceMeter(seconds: Self.patienceWhileHeld)
    while !kata_points_hold(Int32(index)).was_held, !Self.isQuietNow, !patience.isUsedUp {
      usleep(20)
    }
  }

  /// Waits until nothing moves, lets the thread go on that was held first, and so on; whether all is at rest.
  private func letGoOnceQuiet(_ holds: Int) -> Bool {
    let patience = PatienceMeter(seconds: Self.patience)
    var whileHeld: PatienceMeter?
    while !patience.isUsedUp {
      let isHeld = kata_points_held_count() > 0
      if isHeld, whileHeld == nil { whileHeld = PatienceMeter(seconds: Self.patienceWhileHeld) }
      guard Self.isQuietNow || (isHeld && whileHeld?.isUsedUp == true) else {
        usleep(30)
        continue
      }
      guard kata_points_held_count() > 0 else { return true }
      whileHeld = nil
      let held = (0..<Int32(holds)).map { ($0, kata_points_hold($0)) }
        .filter { $0.1.was_held && $0.1.went_on == 0 }
      if let first = held.min(by: { $0.1.held < $1.1.held }) { kata_points_let_go(first.0) }
    }
    return false
  }

  /// Whether every thread but the caller sleeps, and nothing has run between two looks.
  private static var isQuietNow: Bool {
    guard Quiet.isObservable else {
      Thread.sleep(forTimeInterval: Quiet.fallbackWindow)
      return true
    }
    guard let first = ThreadSnapshot.take(), first.allAsleep else { return false }
    for _ in 0..<ThreadSnapshot.roundsUntilQuiet where first != ThreadSnapshot.take() {
      return false
    }
    return true
  }

  private static func race() -> (held: RacyAccess, other: RacyAccess)? {
    let race = kata_points_race()
    guard race.held != 0 else { return nil }
    return (
      RacyAccess(place: race.held, isWrite: race.held_writes),
      RacyAccess(place: race.other, isWrite: race.other_writes)
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
  fileprivate var ownCallers: [UInt] {
    withUnsafeBytes(of: callers) { $0.bindMemory(to: UInt.self).filter { $0 != 0 } }
  }
}

extension Locked<[ScenarioEvent]> {
  fileprivate func note(_ kind: ScenarioEvent.Kind, _ thread: Int) {
    withLock { $0.append(ScenarioEvent(kind: kind, thread: thread, tick: kata_points_tick())) }
  }
}
