extension WatchState {
  /// What the runner is doing.
  enum Activity: Equatable {
    case building
    case testing
    /// A test has failed; the others still run.
    case finishing
    /// The spec has passed; schedules are explored, and this many have found nothing wrong.
    case exploring(Int)
    case checkingForRaces
    case resting
  }

  /// The contents of the middle of the screen.
  enum Page: Equatable {
    case verdict
    case hints
    case list(KataList)
    /// The reference beside the learner's file, or alone with `isWhole`.
    case solution(SolutionText, isWhole: Bool)
    /// A page of the documentation.
    case documentation(DocumentationPage)
    /// What each key does.
    case keys
    /// A question that `y` answers with yes, and any other key with no.
    case question(Question)
  }

  enum Question: Equatable {
    /// Whether to show the solution before the kata is done.
    case solution
    /// Whether to restore the stub.
    case reset
  }

  /// What to do now.
  enum Action: Equatable {
    case quit
    case run
    case open(String)
    case nextHint
    case showSolution
    /// Show the page of a kata, or the chapter of a module.
    case showPage(String)
    case reset
    /// Open the learner's file in the editor.
    case edit
    /// Open the spec at this place in the editor.
    case editSpec(file: String, line: Int)
  }

  /// What the run has shown so far.
  enum Outcome {
    case nothing
    /// The first test that failed, while the others still run.
    case failing(TestReport)
    case verdict(Verdict)
    /// Why there is no verdict, in a sentence.
    case refused(String)
  }
}
