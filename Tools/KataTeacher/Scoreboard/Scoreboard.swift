import KataKit

/// Who is where, what holds the room up, and which mistakes are common.
struct Scoreboard {
  /// How far somebody is with a kata.
  enum Standing: Equatable {
    case notBegun
    /// Begun and not done, with so many attempts; none where only a hint was looked at.
    case inWork(attempts: Int)
    /// The last answer passes, and races weren't looked for.
    case unchecked
    case done
  }

  /// How the room gets on with one kata.
  struct Obstacle {
    let kata: Kata
    /// How many have begun and aren't done.
    let inWork: Int
    let done: Int
    /// The attempts of those who have begun, done or not.
    let attempts: Int

    /// How many attempts there were for each who has begun.
    var attemptsEach: Double { Double(attempts) / Double(max(1, inWork + done)) }
  }

  /// A mistake of the catalogue, and how many last answers look like it.
  struct CommonMistake {
    let kata: Kata
    let mistake: Mistake
    let count: Int
  }

  let participants: [CollectedProgress.Participant]
  let refusals: [CollectedProgress.Refusal]
  /// The katas of the modules in which somebody has begun, in teaching order.
  let katas: [Kata]
  /// The modules in which nobody has.
  let untouched: [Module]

  init(_ collected: CollectedProgress, katas all: [Kata] = Catalogue.katas) {
    participants = collected.participants
    refusals = collected.refusals
    let begun = Set(
      all.filter { kata in
        collected.participants.contains { Self.standing($0, on: kata) != .notBegun }
      }.map(\.module))
    katas = all.filter { begun.contains($0.module) }
    untouched = Module.allCases.filter { module in
      !begun.contains(module) && all.contains { $0.module == module }
    }
  }

  /// The modules that are shown.
  var modules: [Module] {
    Module.allCases.filter { module in katas.contains { $0.module == module } }
  }

  /// How many katas somebody has done.
  func doneCount(_ participant: CollectedProgress.Participant) -> Int {
    katas.count { participant.progress.isDone($0) }
  }

  static func standing(_ participant: CollectedProgress.Participant, on kata: Kata) -> Standing {
    if participant.progress.isDone(kata) { return .done }
    if participant.progress.passesUnchecked(kata) { return .unchecked }
    if let attempts = participant.progress.attempts[kata.name] {
      return .inWork(attempts: attempts.count)
    }
    return participant.progress.hintsShown(for: kata) > 0 ? .inWork(attempts: 0) : .notBegun
  }

  /// The katas that some have begun and not done, first the one on which most are.
  var obstacles: [Obstacle] {
    katas.map { kata in
      let standings = participants.map { Self.standing($0, on: kata) }
      let attempts = participants.compactMap { $0.progress.attempts[kata.name]?.count }
      return Obstacle(
        kata: kata,
        inWork: standings.count { if case .inWork = $0 { true } else { false } },
        done: standings.count { $0 == .done }, attempts: attempts.reduce(0, +))
    }
    .filter { $0.inWork > 0 }
    // Of two the same, the earlier one: sorting keeps the order.
    .sorted { ($0.inWork, $0.attempts) > ($1.inWork, $1.attempts) }
  }

  /// The mistakes that last answers look like, the most common first.
  ///
  /// What only one answer looks like isn't common, unless there is nothing else.
  /// An answer that looks like either of two counts for both, and one that is done for none.
  var commonMistakes: [CommonMistake] {
    var mistakes: [CommonMistake] = []
    for kata in katas {
      for mistake in kata.mistakes {
        let count = participants.count { participant in
          !participant.progress.isDone(kata)
            && participant.progress.attempts[kata.name]?.looksLike.contains(mistake.name) == true
        }
        if count > 0 {
          mistakes.append(CommonMistake(kata: kata, mistake: mistake, count: count))
        }
      }
    }
    let common = mistakes.filter { $0.count > 1 }
    return (common.isEmpty ? mistakes : common).sorted { $0.count > $1.count }
  }
}
