import KataKit

/// The first page of a handout.
struct HandoutReadme {
  private let handout: Handout

  init(_ handout: Handout) {
    self.handout = handout
  }

  var text: String {
    let katas = handout.katas
    let minutes = katas.map(\.minutes).reduce(0, +)
    return """
      # Concurrency Katas

      \(katas.count == 1 ? "One kata" : "\(katas.count) katas"), about \(Self.duration(minutes)). \
      Each is one small type with one job: you edit the stub in `Katas/` until its spec passes and \
      Thread Sanitizer is silent.

      Before the workshop, while you have a network, install Swift 6.3 or newer \
      (<https://www.swift.org/install>; on a Mac, Xcode 26.4 has it) and `make`. From then on nothing \
      here needs one.

      ```
      make doctor    # checks whether this machine has what the katas need
      make kata      # judges a kata whenever you save it
      ```

      `make kata` names the file to open, in any editor. The first time it builds the tool, which takes \
      a minute or two; do that at home. Single keys show a hint, the kata's page, the next \
      kata and the list, and restore the stub. `make` alone lists the commands; `make export OUT=me.json WHO=Ada` \
      writes your progress for the scoreboard.

      | Kata | Module | Minutes | What you build |
      |---|---|---|---|
      \(katas.map { "| `\($0.name)` | \($0.module.rawValue) | \($0.minutes) | \($0.title) |" }
        .joined(separator: "\n"))

      \(notes.joined(separator: "\n\n"))

      """
  }

  /// What the handout contains beside the katas, and what it lacks.
  private var notes: [String] {
    var notes = [
      handout.hasReferences
        ? "The references are in `Modules/`; `make solution KATA=…` shows how yours differs."
        : """
        This handout has no solutions, so `make solution` shows none; ask your instructor.
        """
    ]
    if handout.hasSite {
      notes.append(
        """
        The documentation is in `Site/`: `python3 -m http.server --directory Site` shows it at \
        <http://localhost:8000/documentation/concurrencykatas>, without a network.
        """)
    }
    let builtOn = handout.selection.builtOn
    if !builtOn.isEmpty, !handout.hasReferences {
      let chosen = Set(handout.katas.map(\.name))
      let own = builtOn.filter { chosen.contains($0.name) }
      let names = Self.list(builtOn)
      let isOne = builtOn.count == 1
      notes.append(
        """
        \(isOne ? "One reference is" : "\(builtOn.count) references are") included: \
        \(names), in `Modules/`. Other katas use \(isOne ? "it" : "them"), whether or not you have \
        done \(isOne ? "that one" : "those").
        """
          + (own.isEmpty
            ? "" : " So do \(Self.list(own)) before you look there."))
    }
    return notes
  }

  private static func list(_ katas: [Kata]) -> String {
    let names = katas.map { "`\($0.name)`" }
    return names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }

  private static func duration(_ minutes: Int) -> String {
    if minutes < 90 { return "\(minutes) minutes" }
    let halves = (minutes + 15) / 30
    return halves % 2 == 0 ? "\(halves / 2) hours" : "\(halves / 2)½ hours"
  }
}
