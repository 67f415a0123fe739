// A right answer: the flags of each look are a word of letters, R for ready, E for executing, F for
// finished, C for cancelled.

public struct OperationFlags: OptionSet, Sendable {
  public static let ready = OperationFlags(rawValue: 1)
  public static let executing = OperationFlags(rawValue: 2)
  public static let finished = OperationFlags(rawValue: 4)
  public static let cancelled = OperationFlags(rawValue: 8)

  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }
}

public enum LifecycleLog {
  public typealias Life = [OperationFlags]

  public static let alone = life("R R RE RF")
  public static let behindAnother = life("- - RE RF")
  public static let startedByHand = life("R RE RF")
  public static let mainByHand = life("R R")
  public static let cancelledInLine = life("RC RFC")
  public static let cancelledBehindAnother = life("- RC RFC")
  public static let cancelledAtWork = life("RE REC RFC")
  public static let cancelledTooLate = life("RE RF")
  public static let behindACancelledOne = life("- RE RF")

  private static func life(_ words: String) -> Life {
    let letters: [Character: OperationFlags] = [
      "R": .ready, "E": .executing, "F": .finished, "C": .cancelled,
    ]
    return words.split(separator: " ").map { word in
      word.reduce(into: []) { $0.formUnion(letters[$1] ?? []) }
    }
  }
}
