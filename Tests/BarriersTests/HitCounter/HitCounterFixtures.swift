import KataTesting

/// A step of counting a hit that the spec can pause.
enum HitStep: String, CaseIterable, Sendable {
  case load, store
}

/// Keeps a number as a file does: it can be loaded and stored, but not incremented.
///
/// Each step is a row on the timeline, with the number that it loads or stores.
final class HitFile: Sendable, OpaqueMirror {
  private struct State {
    var number: Int
    var steps = 0
    var held: (step: HitStep, gate: Gate)?

    /// Begins a step; returns its row, and the gate at which it's held, if any.
    mutating func begin(_ step: HitStep, _ number: Int) -> (row: String, gate: Gate?) {
      steps += 1
      let gate = held?.step == step ? held?.gate : nil
      if gate != nil { held = nil }
      return ("\(steps): \(step)s \(number)", gate)
    }
  }

  let timeline = Timeline()
  private let state: LockedValue<State>

  init(_ number: Int = 0) {
    state = LockedValue(State(number: number))
  }

  /// The number in the file.
  var content: Int { state.withLock { $0.number } }

  /// Holds the next thread that reaches this step until `gate` opens.
  func hold(_ step: HitStep, until gate: Gate) {
    state.withLock { $0.held = (step, gate) }
  }

  func load() -> Int {
    let (loaded, begun) = state.withLock { state in
      let number = state.number
      return (number, state.begin(.load, number))
    }
    timeline.visit(begun.row) { begun.gate?.wait() }
    return loaded
  }

  func store(_ new: Int) {
    let begun = state.withLock { $0.begin(.store, new) }
    timeline.visit(begun.row) {
      begun.gate?.wait()
      state.withLock { $0.number = new }
    }
  }

  /// The numbers that store was called with, in that order.
  var stored: [Int] {
    timeline.orderOfEntry.filter { $0.contains("stores") }
      .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
  }

  /// Two steps that overlapped and of which one stores, in words; nil if there were none.
  var collision: String? {
    let rows = Set(timeline.orderOfEntry)
    for store in rows.sorted() where store.contains("stores") {
      let other = rows.sorted().first { $0 != store && timeline.overlapped(store, $0) }
      if let other { return "\"\(store)\" and \"\(other)\"" }
    }
    return nil
  }
}
