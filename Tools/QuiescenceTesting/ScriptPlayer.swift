import Foundation
import Testing

/// A test's script of moves against a model, played one by one.
///
/// The player runs until quiet between two moves, so a script is played the same way every time.
public protocol ScriptedModel {
  /// One move: an action of the test on the code under test.
  associatedtype Move: Sendable & CustomStringConvertible

  /// Starts with a fresh object under test.
  init()

  /// The moves that are possible now; one of them is drawn. An empty list ends the script.
  func moves() -> [Move]

  /// Makes a move that ``moves()`` offered, or does nothing if it's no longer possible.
  mutating func make(_ move: Move)

  /// Compares object and model while the process is quiet. Returns nil, or the sentence that
  /// doesn't hold.
  mutating func broken() -> String?

  /// The picture of what happened, for the message.
  var timeline: Timeline { get }
}

/// Plays seeded random scripts against a model, and reports the shortest one that fails.
///
/// The seeds are the same in every run. `TEST_SEED` plays only the script of one seed.
public func playScripts<Model: ScriptedModel>(
  of model: Model.Type, scripts: Int = 12, moves: Int = 12,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let wanted = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) }
  for seed in wanted.map({ $0...$0 }) ?? 1...UInt64(scripts) {
    var dice = SplitMix64(seed: seed)
    guard let failure = play(model, length: moves, choose: { $0.randomElement(using: &dice) })
    else { continue }
    let shortest = shortened(failure)
    let script = shortest.made.map { "  \($0)" }.joined(separator: "\n")
    Issue.record(
      shortest.timeline.showing(
        """
        \(shortest.sentence)

        It took these moves, with everything at rest after each (TEST_SEED=\(seed)):
        \(script)
        """),
      sourceLocation: sourceLocation)
    return
  }
}

/// A script that ended in a sentence that doesn't hold.
private struct Failure<Model: ScriptedModel> {
  var made: [Model.Move]
  var sentence: String
  var timeline: Timeline
}

/// Plays a script of at most `length` moves, each chosen by `choose`; nil ends it.
private func play<Model: ScriptedModel>(
  _: Model.Type, length: Int, choose: ([Model.Move]) -> Model.Move?
) -> Failure<Model>? {
  defer { OpenAtEnd.openAll() }
  var model = Model()
  var made: [Model.Move] = []
  while made.count < length, let move = choose(model.moves()) {
    model.make(move)
    made.append(move)
    let isQuiet = Quiet.wait() != .busy
    let sentence = isQuiet ? model.broken() : "\(HungMark.prefix)it never came to rest."
    if let sentence { return Failure(made: made, sentence: sentence, timeline: model.timeline) }
  }
  return nil
}

/// Leaves out moves, one at a time from the end, as long as the rest still fails.
private func shortened<Model: ScriptedModel>(_ failure: Failure<Model>) -> Failure<Model> {
  var best = failure
  var index = best.made.count - 1
  while index >= 0 {
    var rest = best.made
    rest.remove(at: index)
    var upcoming = rest[...]
    let again = play(Model.self, length: rest.count) { offered in
      // A move that is no longer offered ends the attempt, since the script would mean something
      // else.
      guard let next = upcoming.popFirst() else { return nil }
      return offered.contains { $0.description == next.description } ? next : nil
    }
    if let again, again.made.count < best.made.count { best = again }
    index = min(index, best.made.count) - 1
  }
  return best
}
