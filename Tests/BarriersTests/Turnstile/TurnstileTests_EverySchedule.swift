import Foundation
import KataTesting
import Testing

extension TurnstileTests {
  // MARK: - Every schedule

  @Test func `in every schedule rounds of one turn one at a time`() {
    explore(
      CallList(
        ModelledSubject(
          model: RoundsOfOne(), { ObservedTurnstile(parties: 1) },
          end: { "turns: \($0.turns.map(\.description))" },
          modelEnd: { "turns: \($0.turns)" }),
        calls: [
          ModelledCall("arrive()") {
            $0.arrive()
          } model: {
            $0.arrive()
          },
          ModelledCall("rounds") {
            $0.readRounds()
          } model: {
            $0.turned
          },
        ]))
  }

  // An arrival begins before its round turns and returns after that, so no order of whole calls says
  // what is right. The check asks which calls had returned when another began.
  @Test func `in every schedule a round turns when it's full, and then all go on`() {
    typealias Call = ModelledCall<ObservedTurnstile, Void>
    let arrive = Call("arrive()") { _ = $0.arrive() }
    let rounds = Call("rounds") { _ = $0.readRounds() }
    let manyRounds = Call("two threads turn 9 rounds") { $0.turn(9) }
    func crossing(_ parties: Int, _ threads: [[Call]]) -> Scenario<ObservedTurnstile, Void> {
      let subject = ModelledSubject(
        { ObservedTurnstile(parties: parties) }, check: { $0.complaint })
      return Scenario(subject, threads: threads)
    }
    // Each fills all its rounds, in every order, so every call must return.
    explore([
      crossing(2, [[arrive], [arrive]]),
      crossing(2, [[arrive, rounds], [arrive]]),
      crossing(2, [[arrive], [arrive], [rounds, rounds]]),
      crossing(2, [[arrive, arrive], [arrive, arrive]]),
      crossing(2, [[arrive], [arrive], [arrive], [arrive]]),
      crossing(3, [[arrive], [arrive, rounds], [arrive]]),
      // While one that arrived first is slow to wake up.
      crossing(2, [[arrive], [arrive], [manyRounds]]),
    ])
  }
}

private struct RoundsOfOne: Sendable {
  private(set) var turned = 0
  private(set) var turns: [String] = []

  mutating func arrive() -> Int {
    turns.append("onTurn(\(turned + 1)), rounds \(turned)")
    turned += 1
    return turned
  }
}

/// A turnstile with its turns, and with the calls that have returned.
private final class ObservedTurnstile: Sendable, OpaqueMirror {
  /// A call that has returned: of `arrive`, of `rounds`, or of `onTurn`.
  struct Span {
    let began, ended: Int
    /// The number of a round, or how many there are.
    let number: Int
    let thread: ObjectIdentifier
  }

  struct Turn: CustomStringConvertible {
    let span: Span
    /// The number of rounds in the middle of the turn.
    let rounds: Int?

    var description: String { "onTurn(\(span.number)), rounds \(rounds.map(String.init) ?? "nil")" }
  }

  private let turnstile: Turnstile
  private let ticks: SharedCounter
  private let turned: LockedValue<[Turn]>
  private let arrived = SharedCounter()
  private let arrivals = LockedValue<[Span]>([])
  private let readings = LockedValue<[Span]>([])

  init(parties: Int) {
    let (ticks, turned) = (SharedCounter(), LockedValue<[Turn]>([]))
    let own = LockedValue<WeakReference<Turnstile>?>(nil)
    turnstile = Turnstile(parties: parties) { round in
      var rounds: Int?
      let span = Self.span(ticks) {
        rounds = own.value?.value?.rounds
        return round
      }
      turned.append(Turn(span: span, rounds: rounds))
    }
    own.set(WeakReference(turnstile))
    (self.ticks, self.turned) = (ticks, turned)
  }

  var turns: [Turn] { turned.value }

  func arrive() -> Int {
    arrived.increment()
    let span = Self.span(ticks) { turnstile.arrive() }
    arrivals.append(span)
    return span.number
  }

  /// Arrives on this thread and on another one, again and again; each time both must go on.
  func turn(_ rounds: Int) {
    let (next, both) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    _ = TestThread("the other of two") { [self] in
      for _ in 1...rounds {
        next.wait()
        _ = arrive()
        both.signal()
      }
    }
    for _ in 1...rounds {
      next.signal()
      _ = arrive()
      both.wait()
    }
  }

  func readRounds() -> Int {
    let span = Self.span(ticks) { turnstile.rounds }
    readings.append(span)
    return span.number
  }

  private static func span(_ ticks: SharedCounter, _ call: () -> Int) -> Span {
    let began = ticks.increment()
    let number = call()
    return Span(
      began: began, ended: ticks.increment(), number: number,
      thread: ObjectIdentifier(Thread.current))
  }

  // MARK: - What is wrong

  var complaint: String? {
    let (arrivals, turns) = (arrivals.value, turns)
    let full = arrived.value / turnstile.parties
    let numbers = full == 0 ? [] : Array(1...full)
    let returned = arrivals.map(\.number).sorted()
    guard returned == numbers.flatMap({ Array(repeating: $0, count: turnstile.parties) }) else {
      return """
        \(arrived.value) threads have arrived, and \(turnstile.parties) make a round. For those \
        that have gone on arrive returned \(returned).
        """
    }
    guard turns.map(\.span.number) == numbers else {
      return """
        onTurn must have been called with \(numbers). It was called with \(turns.map(\.span.number)).
        """
    }
    return wrongTurn(turns, arrivals) ?? wrongReading(turns, arrivals)
  }

  private func wrongTurn(_ turns: [Turn], _ arrivals: [Span]) -> String? {
    for (turn, next) in zip(turns, turns.dropFirst()) where next.span.began < turn.span.ended {
      return "Rounds \(turn.span.number) and \(next.span.number) turned side by side."
    }
    for turn in turns {
      let members = arrivals.filter { $0.number == turn.span.number }
      let name = "onTurn(\(turn.span.number))"
      if members.contains(where: { $0.began > turn.span.began }) {
        return "\(name) was called before all threads of the round had arrived."
      }
      if members.contains(where: { $0.ended < turn.span.ended }) {
        return "A thread of the round went on before \(name) had returned."
      }
      if !members.contains(where: { $0.thread == turn.span.thread }) {
        return "\(name) was called on a thread that isn't one of the round."
      }
      if turn.rounds != turn.span.number - 1 {
        return "In \(name) rounds was \(turn.rounds.map(String.init) ?? "gone")."
      }
    }
    return nil
  }

  private func wrongReading(_ turns: [Turn], _ arrivals: [Span]) -> String? {
    let readings = readings.value
    for reading in readings {
      let atLeast = (arrivals + readings).filter { $0.ended < reading.began }.map(\.number).max()
      let atMost = turns.count { $0.span.ended < reading.ended }
      if reading.number < atLeast ?? 0 {
        return "rounds was \(reading.number), though round \(atLeast ?? 0) had turned before."
      }
      if reading.number > atMost {
        return "rounds was \(reading.number), but that round hadn't turned yet."
      }
    }
    return nil
  }
}
