import Foundation
import KataTesting
import Testing

extension StateNotifierTests {
  // MARK: - Every schedule

  // A move out of ready may be refused while another is announced, and the state still be ready.
  // So it's made once here, and below no call follows one that may be refused like that.
  @Test(.observesKVO) func `in every schedule the next move is made once the state has changed`() {
    let start = NotifiedLife.move(from: .ready, to: .executing)
    let end = NotifiedLife.move(from: .executing, to: .finished)
    let threads = [
      [[start], [NotifiedLife.state, end]],
      [[start], [end]],
    ]
    explore(threads.map { Scenario(NotifiedLife.subject, threads: $0) })
  }

  @Test(.observesKVO) func `in every schedule one of two moves away from ready is made`() {
    let start = NotifiedLife.move(from: .ready, to: .executing)
    let skip = NotifiedLife.move(from: .ready, to: .finished)
    let end = NotifiedLife.move(from: .executing, to: .finished)
    let state = NotifiedLife.state
    let threads = [
      [[start], [skip]],
      [[start], [start]],
      [[start], [skip], [state]],
      [[start], [skip], [end]],
      [[start, end], [skip]],
      [[state, start], [state, skip]],
      [[state, end], [start], [skip]],
    ]
    explore(threads.map { Scenario(NotifiedLife.subject, threads: $0) })
  }
}

/// An operation with a notifier, and what observers read inside its notices.
private final class NotifiedLife: Sendable, OpaqueMirror {
  typealias State = StateNotifier.State
  typealias Call = ModelledCall<NotifiedLife, NotifiedModel>

  private let work = StateNotifierWork()
  private let heard: LockedValue<[String]>
  private let probe: KVOProbe

  init() {
    let (work, heard) = (work, LockedValue<[String]>([]))
    self.heard = heard
    probe = KVOProbe(work) { announcement in
      let state = work.notifier.state
      heard.append(NotifiedModel.text(announcement, in: state))
    }
  }

  static var subject: ModelledSubject<NotifiedLife, NotifiedModel> {
    ModelledSubject(
      model: NotifiedModel(), { NotifiedLife() },
      end: { NotifiedModel.text($0.work.notifier.state, $0.heard.value) },
      modelEnd: { NotifiedModel.text($0.state, $0.notices) })
  }

  static func move(from old: State, to new: State) -> Call {
    Call("move(from: .\(old), to: .\(new))") {
      $0.work.move(from: old, to: new)
    } model: {
      $0.move(from: old, to: new)
    }
  }

  static var state: Call {
    Call("state") {
      $0.work.notifier.state
    } model: {
      $0.state
    }
  }
}

/// Each move is made, and announced, when it's requested.
private struct NotifiedModel: Sendable {
  typealias State = StateNotifier.State

  private(set) var state = State.ready
  private(set) var notices: [String] = []

  mutating func move(from old: State, to new: State) -> Bool {
    guard state == old, State.moves.contains(where: { $0 == (old, new) }) else { return false }
    let keys = [old.probedKey, new.probedKey]
    notices += keys.map { Self.text(.will($0), in: old) }
    state = new
    notices += keys.map { Self.text(.did($0), in: new) }
    return true
  }

  /// Inside a did the next move may have been made already, so only the old state is wrong there.
  static func text(_ announcement: KVOProbe.Announcement, in state: State) -> String {
    switch announcement {
    case .will: "\(announcement) in \(state)"
    case .did(.isFinished): "\(announcement) \(state == .finished ? "after" : "before") the change"
    case .did: "\(announcement) \(state != .ready ? "after" : "before") the change"
    }
  }

  /// The notices of two moves may mix, and the order of a move's two properties is open.
  static func text(_ state: State, _ notices: [String]) -> String {
    "\(state), notices: \(notices.sorted().joined(separator: ", "))"
  }
}
