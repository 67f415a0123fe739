import Foundation
import KataTesting

/// A step of counting a hit that the spec can hold up.
enum HitStep: String, CaseIterable, Sendable {
  case load, store
}

/// Keeps a number as a file does: it can be loaded and stored, and knows nothing of adding.
///
/// Each step is a row on the timeline, with the number that it has loaded or stores.
final class HitFile: Sendable, OpaqueMirror {
  let timeline = Timeline()
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var number: Int
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var steps = 0
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var held: (step: HitStep, gate: Gate)?

  init(_ number: Int = 0) {
    self.number = number
  }

  /// The number in the file.
  var content: Int { lock.withLock { number } }

  /// Who takes this step next is held in it until `gate` opens.
  func hold(_ step: HitStep, until gate: Gate) {
    lock.withLock { held = (step, gate) }
  }

  func load() -> Int {
    let (loaded, row, gate) = lock.withLock {
      (number, begin("loads", number), heldBack(at: .load))
    }
    timeline.visit(row) { gate?.wait() }
    return loaded
  }

  func store(_ new: Int) {
    let (row, gate) = lock.withLock { (begin("stores", new), heldBack(at: .store)) }
    timeline.visit(row) {
      gate?.wait()
      lock.withLock { number = new }
    }
  }

  /// The numbers that store was called with, in this order.
  var stored: [Int] {
    timeline.orderOfEntry.filter { $0.contains("stores") }
      .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
  }

  /// Two steps at once of which one stores, in words; nil where there were none.
  var collision: String? {
    let rows = Set(timeline.orderOfEntry)
    for store in rows.sorted() where store.contains("stores") {
      let other = rows.sorted().first { $0 != store && timeline.overlapped(store, $0) }
      if let other { return "\"\(store)\" and \"\(other)\"" }
    }
    return nil
  }

  // MARK: - With the lock held

  private func begin(_ what: String, _ number: Int) -> String {
    steps += 1
    return "\(steps): \(what) \(number)"
  }

  private func heldBack(at step: HitStep) -> Gate? {
    guard held?.step == step else { return nil }
    defer { held = nil }
    return held?.gate
  }
}

/// The numbers of hits, from several threads.
final class HitNumbers: Sendable, OpaqueMirror {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var numbers: [Int] = []

  /// All numbers so far, in order of size.
  var sorted: [Int] { lock.withLock { numbers.sorted() } }

  func add(_ more: [Int]) {
    lock.withLock { numbers += more }
  }
}
