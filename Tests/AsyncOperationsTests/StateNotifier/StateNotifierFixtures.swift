import Foundation
import KataTesting
import Testing

/// An operation that keeps a `StateNotifier` and does nothing but change its state.
// Safe: what changes is inside the notifier.
final class StateNotifierWork: Operation, @unchecked Sendable {
  typealias State = StateNotifier.State

  let notifier = StateNotifier()

  override var isAsynchronous: Bool { true }
  override var isReady: Bool { super.isReady && notifier.state == .ready }
  override var isExecuting: Bool { notifier.state == .executing }
  override var isFinished: Bool { notifier.state == .finished }

  override func start() { move(from: .ready, to: isCancelled ? .finished : .executing) }

  @discardableResult
  func move(from old: State, to new: State) -> Bool { notifier.move(self, from: old, to: new) }
}

/// A move that was requested, and its outcome.
struct StateNotifierAttempt: Sendable {
  typealias State = StateNotifier.State

  let current: State
  let old: State
  let new: State
  let hasMoved: Bool
  let after: State

  /// Brings a new notifier to `current` and requests a move.
  init(current: State, from old: State, to new: State) {
    let work = StateNotifierWork()
    for (old, new) in State.way(to: current) { work.move(from: old, to: new) }
    self.current = current
    self.old = old
    self.new = new
    hasMoved = work.move(from: old, to: new)
    after = work.notifier.state
  }

  var isLegal: Bool {
    current == old && State.moves.contains { $0 == (old, new) }
  }

  /// What is wrong with the attempt; nil if it's right.
  var fault: String? {
    let call = "The state was \(current); after move(from: .\(old), to: .\(new))"
    if isLegal { return after == new && hasMoved ? nil : "\(call) \(outcome(new, true))" }
    return after == current && !hasMoved ? nil : "\(call) \(outcome(current, false))"
  }

  private func outcome(_ state: State, _ moves: Bool) -> String {
    "it must be \(state), and move must return \(moves); here it is \(after), and \(hasMoved)."
  }
}

extension StateNotifier.State {
  /// The three allowed moves.
  static let moves: [(Self, Self)] = [
    (.ready, .executing), (.executing, .finished), (.ready, .finished),
  ]

  /// The moves that lead from ready to `state`.
  static func way(to state: Self) -> [(Self, Self)] {
    switch state {
    case .ready: []
    case .executing: [(.ready, .executing)]
    case .finished: [(.ready, .executing), (.executing, .finished)]
    }
  }

  /// The property that is true in this state.
  var probedKey: KVOProbe.Key {
    switch self {
    case .ready: .isReady
    case .executing: .isExecuting
    case .finished: .isFinished
    }
  }
}

/// The notices of one operation, with the state that was read inside each.
final class StateNotifierRecord: Sendable, OpaqueMirror {
  /// The thread that makes the move.
  let mover = ThreadMark()
  private let heard = LockedValue<[Heard]>([])

  private struct Heard: Sendable {
    let announcement: KVOProbe.Announcement
    let state: StateNotifier.State
    let isOnMovingThread: Bool
  }

  func hear(_ announcement: KVOProbe.Announcement, in state: StateNotifier.State) {
    heard.append(
      Heard(announcement: announcement, state: state, isOnMovingThread: mover.isCurrent))
  }

  /// Whether all notices were sent on the thread that made the move.
  var wasHeardOnOneThread: Bool { heard.value.allSatisfy(\.isOnMovingThread) }

  /// What was announced on the thread that made the move, in alphabetical order.
  var onMovingThread: [String] {
    heard.value.filter(\.isOnMovingThread).map { "\($0.announcement)" }.sorted()
  }

  /// How often something was announced.
  func count(of announcement: KVOProbe.Announcement) -> Int { states(inside: announcement).count }

  /// The states that were read inside an announcement.
  func states(inside announcement: KVOProbe.Announcement) -> [StateNotifier.State] {
    heard.value.filter { $0.announcement == announcement }.map(\.state)
  }

  var isEmpty: Bool { heard.value.isEmpty }

  /// A sentence with the notices below it, one a line.
  func showing(_ sentence: String) -> Comment {
    let lines = heard.value.map { "  \($0.announcement), state=\($0.state)" }
    let list = lines.isEmpty ? "  (no notices)" : lines.joined(separator: "\n")
    return Comment(rawValue: "\(sentence)\n\n\(list)")
  }
}
