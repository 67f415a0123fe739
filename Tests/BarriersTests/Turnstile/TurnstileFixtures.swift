import Foundation
import KataTesting
import Testing

/// A turnstile whose visitors and turns are shown on a timeline.
///
/// A visitor's row lasts from arriving to going on; the row of a turn, from the call of `onTurn` to
/// its end.
final class Crossing: Sendable, OpaqueMirror {
  private static let turn = "onTurn"
  private static let visitor = "katas.spec.turnstile.visitor"

  let timeline = Timeline()
  let turnstile: Turnstile
  private let turns: Turns
  private let sleepers = Sleepers()

  /// A turnstile; those turns that are in `held` last until their gate opens.
  init(parties: Int, held: [Int: Gate] = [:]) {
    let turns = Turns()
    self.turns = turns
    turnstile = Turnstile(parties: parties) { [timeline] round in
      turns.append(round, by: Thread.current.threadDictionary[Self.visitor] as? String)
      timeline.visit(Self.turn) { held[round]?.wait() }
    }
  }

  /// A visitor arrives, on a thread of its own; the result is the number of the round.
  func comes(_ who: String) -> TestThread<Int> {
    TestThread("arrive()") { [timeline, turnstile, sleepers] in
      Thread.current.threadDictionary[Self.visitor] = who
      sleepers.add(who)
      return timeline.visit(who) { turnstile.arrive() }
    }
  }

  /// Runs `body` while a visitor who waits doesn't notice that it's woken.
  func whileAsleep(_ who: String, _ body: () throws -> Void) rethrows {
    try sleepers.whileAsleep(who, body)
  }

  /// The rounds that `onTurn` was called with.
  var turned: [Int] { turns.all.map(\.round) }

  /// On whose thread `onTurn` was called.
  var turners: [String?] { turns.all.map(\.who) }

  /// How many calls of `onTurn` haven't ended.
  var turning: Int { timeline.inside.count { $0 == Self.turn } }

  /// Whether `onTurn` has been called twice at once.
  var turnsOverlapped: Bool { timeline.overlapped(Self.turn, Self.turn) }
}

/// The calls of `onTurn`.
private final class Turns: Sendable, OpaqueMirror {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var calls: [(round: Int, who: String?)] = []

  var all: [(round: Int, who: String?)] { lock.withLock { calls } }

  func append(_ round: Int, by who: String?) { lock.withLock { calls.append((round, who)) } }
}

/// Threads that can be kept from waking up, as if they got no core for a while.
///
/// A signal's handler runs on a thread in the middle of its wait and reads from a pipe, in which there
/// is nothing until the thread may go on. One at a time.
private final class Sleepers: Sendable, OpaqueMirror {
  private static let pipeEnds: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    return (ends[0], ends[1])
  }()

  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var threads: [String: pthread_t] = [:]

  /// The calling thread is the one of `who`.
  func add(_ who: String) {
    // Threads of Dispatch's shut out all signals, and so do those that they start.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGURG)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    lock.withLock { threads[who] = pthread_self() }
  }

  /// Runs `body` while the thread of `who`, which waits somewhere, sleeps on.
  func whileAsleep(_ who: String, _ body: () throws -> Void) rethrows {
    let ends = Self.pipeEnds
    signal(SIGURG) { _ in Sleepers.readByte() }
    lock.withLock { if let thread = threads[who] { _ = pthread_kill(thread, SIGURG) } }
    runUntilQuiet()
    defer {
      var byte: UInt8 = 0
      _ = write(ends.write, &byte, 1)
    }
    try body()
  }

  private static func readByte() {
    var byte: UInt8 = 0
    _ = read(pipeEnds.read, &byte, 1)
  }
}

/// The model: some who wait outside, some who have come in, and a round that may be turning.
struct TurnstileScript: ScriptedModel {
  enum Move: CustomStringConvertible, Sendable {
    case comes
    case turnEnds

    var description: String {
      switch self {
      case .comes: "somebody arrives"
      case .turnEnds: "onTurn returns"
      }
    }
  }

  private static let parties = 2
  private let gates: [Int: Gate]
  private let crossing: Crossing
  private var visitors: [TestThread<Int>] = []
  private var outside = 0
  private var inside = 0
  private var turned = 0
  private var isTurning = false

  var timeline: Timeline { crossing.timeline }

  init() {
    let gates = Dictionary(uniqueKeysWithValues: (1...12).map { ($0, Gate("turn \($0)")) })
    self.gates = gates
    crossing = Crossing(parties: Self.parties, held: gates)
  }

  func moves() -> [Move] {
    let arrivals: [Move] = outside + inside < 5 ? [.comes] : []
    return arrivals + (isTurning ? [.turnEnds] : [])
  }

  mutating func make(_ move: Move) {
    switch move {
    case .comes:
      visitors.append(crossing.comes("visitor \(visitors.count + 1)"))
      outside += 1
    case .turnEnds:
      guard isTurning else { return }
      turned += 1
      (inside, isTurning) = (0, false)
      gates[turned]?.open()
    }
    while !isTurning, outside > 0 {
      outside -= 1
      inside += 1
      isTurning = inside == Self.parties
    }
  }

  func broken() -> String? {
    let turning = crossing.turning
    if turning != (isTurning ? 1 : 0) {
      return "\(inside) of 2 have come for round \(turned + 1), and onTurn runs \(turning) times."
    }
    let rounds = visitors.filter(\.hasReturned).compactMap { try? $0.result() }.sorted()
    let expected = turned == 0 ? [] : (1...turned).flatMap { [$0, $0] }
    if rounds != expected {
      return """
        \(turned) rounds of two have turned. Those who have gone on must have been told these round \
        numbers: \(expected). They were told these: \(rounds).
        """
    }
    return nil
  }
}
