import KataTesting
import Testing

/// The model: for each key nothing, an attempt with callers that wait for it, or a value.
struct CacheScript: ScriptedModel {
  enum Move: CustomStringConvertible, Sendable {
    case ask(String), succeed(String), fail(String)

    var description: String {
      switch self {
      case .ask(let name): "a thread asks for \(name)"
      case .succeed(let name): "the computation of \(name) succeeds"
      case .fail(let name): "the computation of \(name) fails"
      }
    }
  }

  /// The expected state of a key.
  private struct State {
    /// All callers so far; one that computes does so until its gate opens.
    var callers: [(gate: Gate, fails: LockedValue<Bool>, outcome: TestThread<Thumbnail>)] = []
    /// How many callers haven't returned; one of them computes.
    var waiting = 0
    var isThere = false
    var served = 0
    var refused = 0

    /// Ends the running computation.
    mutating func end(fails: Bool) {
      guard waiting > 0 else { return }
      let computing = callers.first { $0.gate.waiting > 0 }
      computing?.fails.set(fails)
      computing?.gate.open()
      if fails { refused += 1 } else { served += waiting }
      isThere = !fails
      waiting = fails ? waiting - 1 : 0
    }
  }

  private static let names = ["Dawn", "Noon"]
  private let thumbnails = ThumbnailCache()
  private var states = Dictionary(uniqueKeysWithValues: names.map { ($0, State()) })

  var timeline: Timeline { thumbnails.timeline }

  func moves() -> [Move] {
    Self.names.flatMap { name -> [Move] in
      let waiting = states[name]?.waiting ?? 0
      return (waiting < 3 ? [.ask(name)] : [])
        + (waiting > 0 ? [.succeed(name), .fail(name)] : [])
    }
  }

  mutating func make(_ move: Move) {
    switch move {
    case .ask(let name):
      let (gate, fails) = (Gate("the computation ends"), LockedValue(false))
      let outcome = thumbnails.ask(PhotoKey(name: name), until: gate, fails: fails.value)
      states[name]?.callers.append((gate, fails, outcome))
      if states[name]?.isThere == true {
        states[name]?.served += 1
      } else {
        states[name]?.waiting += 1
      }
    case .succeed(let name): states[name]?.end(fails: false)
    case .fail(let name): states[name]?.end(fails: true)
    }
  }

  func broken() -> String? {
    for name in Self.names {
      guard let state = states[name] else { continue }
      let underWay = timeline.inside.count { $0 == name }
      let expected = state.waiting > 0 ? 1 : 0
      if underWay != expected {
        return "\(name) is being computed \(underWay) times, and must be \(expected) times."
      }
      let outcomes = state.callers.map(\.outcome).filter(\.hasReturned)
      let served = outcomes.compactMap { try? $0.result() }
      let refused = outcomes.count - served.count
      if served.count != state.served || refused != state.refused {
        return """
          Of the callers that asked for \(name), \(state.served) must have a value, \
          \(state.refused) an error and \(state.waiting) must wait. \(served.count) have a value \
          and \(refused) an error.
          """
      }
      if Set(served.map(\.attempt)).count > 1 {
        return "Callers that asked for \(name) hold different values."
      }
    }
    return nil
  }
}
