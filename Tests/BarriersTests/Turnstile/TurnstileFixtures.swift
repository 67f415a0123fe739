import Foundation
import KataTesting
import Testing

/// A turnstile whose visitors and turns are shown on a timeline.
///
/// A visitor's row lasts from the call of `arrive` to its return; a turn's row, from the call of
/// `onTurn` to its return.
final class Crossing: Sendable, OpaqueMirror {
  private static let turn = "onTurn"
  private static let visitor = "katas.spec.turnstile.visitor"

  let timeline = Timeline()
  let turnstile: Turnstile
  private let turns = LockedValue<[(round: Int, who: String?)]>([])
  private let threads = LockedValue<[String: pthread_t]>([:])

  /// Creates a turnstile; each turn that is in `held` lasts until its gate opens.
  init(parties: Int, held: [Int: Gate] = [:]) {
    turnstile = Turnstile(parties: parties) { [timeline, turns] round in
      turns.append((round, Thread.current.threadDictionary[Self.visitor] as? String))
      timeline.visit(Self.turn) { held[round]?.wait() }
    }
  }

  /// A visitor arrives, on a thread of its own, and gets as far as it can.
  ///
  /// The thread's result is the number of the round.
  func comes(_ who: String) -> TestThread<Int> {
    defer { runUntilQuiet() }
    return TestThread("arrive()") { [timeline, turnstile, threads] in
      Thread.current.threadDictionary[Self.visitor] = who
      // Dispatch's threads block all signals, and threads that they start inherit that.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGURG)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      threads.withLock { $0[who] = pthread_self() }
      return timeline.visit(who) { turnstile.arrive() }
    }
  }

  /// Runs `body` while a waiting visitor can't wake up, as if its thread weren't scheduled.
  ///
  /// A signal handler runs on that thread in the middle of the wait and reads from a pipe, which is
  /// empty until the thread may go on. One at a time.
  func whileAsleep(_ who: String, _ body: () throws -> Void) rethrows {
    // Created before the handler uses it.
    let pillow = Pillow.ends
    signal(SIGURG) { _ in
      var byte: UInt8 = 0
      _ = read(Pillow.ends.read, &byte, 1)
    }
    threads.withLock { if let thread = $0[who] { _ = pthread_kill(thread, SIGURG) } }
    runUntilQuiet()
    defer {
      var byte: UInt8 = 0
      _ = write(pillow.write, &byte, 1)
    }
    try body()
  }

  /// The rounds that `onTurn` was called with.
  var turned: [Int] { turns.value.map(\.round) }

  /// The visitors on whose threads `onTurn` was called.
  var turners: [String?] { turns.value.map(\.who) }

  /// How many calls of `onTurn` haven't returned.
  var turning: Int { timeline.inside.count { $0 == Self.turn } }

  /// Whether two calls of `onTurn` overlapped.
  var turnsOverlapped: Bool { timeline.overlapped(Self.turn, Self.turn) }
}

/// The pipe that keeps a thread asleep.
private enum Pillow {
  static let ends: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    return (ends[0], ends[1])
  }()
}

/// The model: threads that wait to be counted, counted threads, and perhaps a turning round.
struct TurnstileScript: ScriptedModel {
  enum Move: String, CustomStringConvertible, Sendable {
    case comes = "a thread arrives"
    case turnEnds = "onTurn returns"

    var description: String { rawValue }
  }

  private static let parties = 2
  private let gates: [Int: Gate]
  private let crossing: Crossing
  private var visitors: [TestThread<Int>] = []
  private var turned = 0

  /// How many threads have arrived and not gone on.
  private var waiting: Int { visitors.count - turned * Self.parties }
  private var isTurning: Bool { waiting >= Self.parties }

  var timeline: Timeline { crossing.timeline }

  init() {
    let gates = Dictionary(uniqueKeysWithValues: (1...12).map { ($0, Gate("turn \($0)")) })
    self.gates = gates
    crossing = Crossing(parties: Self.parties, held: gates)
  }

  func moves() -> [Move] {
    (waiting < 5 ? [.comes] : []) + (isTurning ? [.turnEnds] : [])
  }

  mutating func make(_ move: Move) {
    switch move {
    case .comes:
      visitors.append(crossing.comes("visitor \(visitors.count + 1)"))
    case .turnEnds:
      guard isTurning else { return }
      turned += 1
      gates[turned]?.open()
    }
  }

  func broken() -> String? {
    let turning = crossing.turning
    if turning != (isTurning ? 1 : 0) {
      let inside = min(waiting, Self.parties)
      return
        "\(inside) of 2 threads of round \(turned + 1) are there, and onTurn runs \(turning) times."
    }
    let rounds = visitors.filter(\.hasReturned).compactMap { try? $0.result() }.sorted()
    let expected = turned == 0 ? [] : (1...turned).flatMap { [$0, $0] }
    if rounds != expected {
      return """
        \(turned) rounds of two have turned. For the threads that have gone on arrive must have \
        returned these round numbers: \(expected). It returned these: \(rounds).
        """
    }
    return nil
  }
}
