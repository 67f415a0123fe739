import Foundation
import KataPoints

/// A place in the code under test, the caller that it was reached from, and the number of a
/// thread's visit, from 1.
struct SchedulePoint: Hashable, Sendable {
  let place: UInt
  /// Where the place's function was called from; 0 if that isn't known.
  let caller: UInt
  /// The scenario's thread, from 0; nil for threads of the code under test, which count as one.
  var thread: Int?
  var hit: Int
  /// Whether the thread accesses memory there that another thread accesses, too, and one of the two
  /// writes.
  var isContended = false

  fileprivate init(_ point: kata_point) {
    place = point.place
    caller = point.caller
    thread = point.thread == 0 ? nil : Int(point.thread) - 1
    hit = Int(point.hit)
  }

  /// The same place at another visit, or on another thread.
  func with(thread: Int?, hit: Int) -> SchedulePoint {
    var point = self
    (point.thread, point.hit) = (thread, hit)
    return point
  }

  fileprivate var asPoint: kata_point {
    kata_point(
      place: place, caller: caller, thread: Int32(thread.map { $0 + 1 } ?? 0), hit: Int32(hit),
      address: 0, is_write: false)
  }
}

/// The order in which the threads of a run start, and where they are held.
struct Schedule: Hashable, Sendable {
  /// The scenario's threads in the order in which they start, each when those before it have come
  /// to rest; nil if all start at once.
  let order: [Int]?
  /// At each of these points a thread is held until nothing else can run.
  var points: [SchedulePoint] = []

  /// All threads start at once, and none is held.
  static let asItComes = Schedule(order: nil)
}

/// An event of a run.
struct ScenarioEvent: Sendable {
  enum Kind: Equatable, Sendable {
    case began(call: Int)
    case returned(call: Int, result: String)
    /// At a point, in a function that the first of these called, that in a function that the second
    /// called, and so on.
    case held(SchedulePoint, callers: [UInt])
    case wentOn
  }

  let kind: Kind
  /// The scenario's thread, from 0; nil if it's a thread of the code under test.
  let thread: Int?
  let tick: Int64
}

/// One of the two accesses of a race.
struct RacyAccess: Sendable {
  let place: UInt
  /// Where the place's function was called from, and so on outwards.
  let callers: [UInt]
  let isWrite: Bool
}

/// One run of a scenario.
struct ScenarioRun: Sendable {
  let outcome: ScenarioOutcome
  let events: [ScenarioEvent]
  /// The places that were reached, and how often.
  let reached: [SchedulePoint]
  /// Two unordered accesses of two threads to the same memory, if there were any.
  let race: (held: RacyAccess, other: RacyAccess)?
  /// Whether everything was at rest at the end.
  let isQuiet: Bool

  /// Whether a call of another thread was running when this thread started.
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
  /// The seconds of work after which a run counts as never resting, such as a call that spins.
  private static var timeout: Double { min(TestTimeout.seconds, 2) }
  /// The same while a thread is held or hasn't started.
  ///
  /// If another thread spins until that one continues, the run never comes to rest.
  private static var timeoutWhileHeld: Double { 0.05 }

  /// Runs the scenario once, on threads of `all`.
  ///
  /// Blocks the calling thread until everything is at rest, with a timeout. Before a run counts as
  /// wrong, a more thorough wait makes sure that it has ended.
  func run(
    _ schedule: Schedule, on all: ScenarioThreads, isExpected: (ScenarioOutcome) -> Bool
  ) -> ScenarioRun {
    let observer = RunObservers.current.value
    observer?.runBegan()
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
      kata_points_release(held)
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
    observer?.runEnded()
    var outcome = outcome(of: subject, log.value)
    if !isQuiet || !isExpected(outcome) {
      isQuiet = Quiet.wait(TimeoutMeter(seconds: Self.timeout)) != .busy
      outcome = self.outcome(of: subject, log.value)
    }
    let events = (log.value + holds).sorted { $0.tick < $1.tick }
    self.subject.tearDown(subject)
    // What ends now must not become part of the next run.
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

  /// Waits until everything is at rest, with a timeout, and returns whether it is.
  ///
  /// The timeout is short while a thread may spin until a thread continues that is held or hasn't
  /// started.
  @discardableResult
  private func waitUntilQuiet(allHaveBegun: Bool) -> Bool {
    let timeout = TimeoutMeter(seconds: Self.timeout)
    var short: TimeoutMeter?
    while !Self.isQuietNow {
      if !allHaveBegun || kata_points_held_count() > 0 {
        let meter = short ?? TimeoutMeter(seconds: Self.timeoutWhileHeld)
        short = meter
        if meter.isUsedUp { return false }
      }
      if timeout.isUsedUp { return false }
      usleep(20)
    }
    return true
  }

  /// The hold with the longest-held thread; nil if none is held.
  private static func heldLongest(of holds: Int) -> Int32? {
    (0..<Int32(holds)).map { (index: $0, hold: kata_points_hold($0)) }
      .filter { $0.hold.was_held && $0.hold.went_on == 0 }
      .min { $0.hold.held < $1.hold.held }?.index
  }

  /// Whether every thread but the caller's sleeps, judging by a quick sample.
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
      var found: [kata_point] = []
      let count = withUnsafeTemporaryAllocation(of: kata_point.self, capacity: capacity) { room in
        let count = Int(kata_points_reached(room.baseAddress, Int32(capacity)))
        found = Array(room.prefix(min(count, capacity)))
        return count
      }
      if count <= capacity { return SchedulePoint.points(found) }
      capacity = count
    }
  }
}

extension SchedulePoint {
  /// The points that a run has reached.
  fileprivate static func points(_ reached: [kata_point]) -> [SchedulePoint] {
    let contended = Dictionary(grouping: reached.filter { $0.address != 0 }, by: \.address)
      .filter { Set($1.map(\.thread)).count > 1 && $1.contains(where: \.is_write) }
    return reached.map {
      var point = SchedulePoint($0)
      point.isContended = contended[$0.address] != nil
      return point
    }
  }
}

extension kata_hold {
  fileprivate var ownCallers: [UInt] { withUnsafeBytes(of: callers, places(in:)) }
}

/// The places in a C array that ends with the first 0.
private func places(in array: UnsafeRawBufferPointer) -> [UInt] {
  Array(array.bindMemory(to: UInt.self).prefix { $0 != 0 })
}

extension LockedValue<[ScenarioEvent]> {
  fileprivate func note(_ kind: ScenarioEvent.Kind, _ thread: Int) {
    withLock { $0.append(ScenarioEvent(kind: kind, thread: thread, tick: kata_points_tick())) }
  }
}
