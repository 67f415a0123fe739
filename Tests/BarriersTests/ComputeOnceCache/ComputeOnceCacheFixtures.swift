import Foundation
import KataTesting

/// The key of a thumbnail: a photo's name.
struct PhotoKey: Hashable, Sendable, CustomStringConvertible {
  let name: String
  /// Whether its hash and its description are the same as those of all others that clash.
  var clashes = false

  var description: String { clashes ? "a photo" : name }

  func hash(into hasher: inout Hasher) {
    hasher.combine(clashes ? "" : name)
  }

  static let dawn = PhotoKey(name: "Dawn")
  static let noon = PhotoKey(name: "Noon")
}

/// A value that knows which attempt has made it.
final class Thumbnail: Sendable, OpaqueMirror {
  let attempt: Int

  init(attempt: Int) {
    self.attempt = attempt
  }
}

/// What an attempt throws.
struct RenderingFailed: Error, Equatable {
  let attempt: Int
}

/// A cache whose computations are numbered, shown on a timeline, and may be held and may fail.
final class ThumbnailCache: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let cache = ComputeOnceCache<PhotoKey, Thumbnail>()
  private let counter = Counter()

  /// How many computations have begun.
  var attempts: Int { counter.value }

  /// How many computations for this key are under way.
  func underWay(_ key: PhotoKey) -> Int { timeline.inside.count { $0 == key.name } }

  /// Somebody asks, on a thread of its own; if it has to compute, that lasts until `gate` opens.
  func ask(
    _ key: PhotoKey, until gate: Gate? = nil, fails: Bool = false
  ) -> TestThread<Thumbnail> {
    TestThread("value(for: \(key.name))") { [self] in
      try cache.value(for: key) { try render(key, until: gate, fails: fails) }
    }
  }

  /// A computation.
  func render(_ key: PhotoKey, until gate: Gate? = nil, fails: Bool = false) throws -> Thumbnail {
    let attempt = counter.increment()
    return try timeline.visit(key.name) {
      gate?.wait()
      if fails { throw RenderingFailed(attempt: attempt) }
      return Thumbnail(attempt: attempt)
    }
  }
}

/// The model: for each key nothing, an attempt with some who wait for it, or a value.
struct CacheScript: ScriptedModel {
  enum Move: CustomStringConvertible, Sendable {
    case ask(String)
    case succeed(String)
    case fail(String)

    var description: String {
      switch self {
      case .ask(let name): "somebody asks for \(name)"
      case .succeed(let name): "the computation of \(name) succeeds"
      case .fail(let name): "the computation of \(name) fails"
      }
    }
  }

  /// What must have come of a key so far.
  private struct State {
    var isComputing = false
    var waiting = 0
    var isThere = false
    var served = 0
    var refused = 0
  }

  private static let names = ["Dawn", "Noon"]
  private let easel = Easel()
  private var states: [String: State] = [:]

  var timeline: Timeline { easel.timeline }

  func moves() -> [Move] {
    Self.names.flatMap { name -> [Move] in
      let state = states[name] ?? State()
      let ask: [Move] = state.waiting < 2 ? [.ask(name)] : []
      return ask + (state.isComputing ? [.succeed(name), .fail(name)] : [])
    }
  }

  mutating func make(_ move: Move) {
    switch move {
    case .ask(let name):
      easel.ask(name)
      if states[name]?.isThere == true {
        states[name]?.served += 1
      } else if states[name]?.isComputing == true {
        states[name]?.waiting += 1
      } else {
        states[name, default: State()].isComputing = true
      }
    case .succeed(let name):
      guard var state = states[name], state.isComputing else { return }
      easel.end(name, fails: false)
      state.served += state.waiting + 1
      (state.isComputing, state.isThere, state.waiting) = (false, true, 0)
      states[name] = state
    case .fail(let name):
      guard var state = states[name], state.isComputing else { return }
      easel.end(name, fails: true)
      state.refused += 1
      state.isComputing = state.waiting > 0
      state.waiting = max(0, state.waiting - 1)
      states[name] = state
    }
  }

  func broken() -> String? {
    for name in Self.names {
      let state = states[name] ?? State()
      let underWay = timeline.inside.count { $0 == name }
      let expected = state.isComputing ? 1 : 0
      if underWay != expected {
        return "\(name) is being computed \(underWay) times, and must be \(expected) times."
      }
      let (served, refused) = (easel.values(of: name), easel.failures(of: name))
      if served.count != state.served || refused != state.refused {
        return """
          Of those who asked for \(name), \(state.served) must have a value, \(state.refused) an error \
          and \(state.waiting) must wait. \(served.count) have a value and \(refused) an error.
          """
      }
      if Set(served).count > 1 { return "Those who asked for \(name) hold different values." }
    }
    return nil
  }
}

/// A cache whose computations last until the script ends them.
private final class Easel: Sendable, OpaqueMirror {
  /// A computation that is under way.
  private final class Attempt: Sendable {
    let gate = Gate("the computation ends")
    // Safe: written before the gate is opened, read behind it.
    nonisolated(unsafe) var fails = false
  }

  let timeline = Timeline()
  private let cache = ComputeOnceCache<String, Int>()
  private let counter = Counter()
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var underWay: [String: Attempt] = [:]
  private nonisolated(unsafe) var had: [String: [Int]] = [:]  // Safe: as above.
  private nonisolated(unsafe) var refused: [String: Int] = [:]  // Safe: as above.

  func values(of name: String) -> [Int] { lock.withLock { had[name] ?? [] } }

  func failures(of name: String) -> Int { lock.withLock { refused[name] ?? 0 } }

  func ask(_ name: String) {
    _ = TestThread("value(for: \(name))") { [self] in
      do {
        let value = try cache.value(for: name) { try compute(name) }
        lock.withLock { had[name, default: []].append(value) }
      } catch {
        lock.withLock { refused[name, default: 0] += 1 }
      }
    }
  }

  func end(_ name: String, fails: Bool) {
    guard let attempt = lock.withLock({ underWay.removeValue(forKey: name) }) else { return }
    attempt.fails = fails
    attempt.gate.open()
  }

  private func compute(_ name: String) throws -> Int {
    let number = counter.increment()
    let attempt = Attempt()
    lock.withLock { underWay[name] = attempt }
    return try timeline.visit(name) {
      attempt.gate.wait()
      if attempt.fails { throw RenderingFailed(attempt: number) }
      return number
    }
  }
}
