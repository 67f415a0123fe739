import KataKit

/// Each participant's progress, the katas at which participants are stuck, and common mistakes.
struct Scoreboard {
  /// How far a participant is with a kata.
  enum Standing: Equatable {
    case notBegun
    /// Started and not done, with this many attempts; zero if only a hint was shown.
    case inWork(attempts: Int)
    /// The last answer passes, but races weren't checked.
    case unchecked
    case done
  }

  /// The participants' progress with one kata.
  struct Obstacle {
    let kata: Kata
    /// The number of participants who have started and aren't done.
    let inWork: Int
    let done: Int
    /// The attempts of all participants who have started, done or not.
    let attempts: Int

    /// The attempts for each participant who has started.
    var attemptsEach: Double { Double(attempts) / Double(max(1, inWork + done)) }
  }

  /// A mistake of the catalogue, and how many last answers resemble it.
  struct CommonMistake {
    let kata: Kata
    let mistake: Mistake
    let count: Int
  }

  let participants: [CollectedProgress.Participant]
  let refusals: [CollectedProgress.Refusal]
  /// The katas of all modules that a participant has started, in teaching order.
  let katas: [Kata]
  /// The modules that no participant has started.
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

  /// How many katas a participant has done.
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

  /// The katas that participants have started and not done, first the one with most participants at
  /// it.
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
    // Of two equal ones, the earlier kata: sorting is stable.
    .sorted { ($0.inWork, $0.attempts) > ($1.inWork, $1.attempts) }
  }

  /// The mistakes that last answers resemble, the most common first.
  ///
  /// A mistake in only one answer isn't common, unless there are no others. An answer that
  /// resembles two counts for both, and one that is done counts for none.
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
