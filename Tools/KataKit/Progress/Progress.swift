import Foundation

/// What a learner has done so far; a small file in the clone, which git ignores.
public struct Progress: Codable, Equatable, Sendable {
  /// The version that this program writes and reads.
  static let currentVersion = 1

  private(set) var version = Progress.currentVersion
  /// The katas that are done, with the day they were first done, as an ISO 8601 date.
  public private(set) var done: [String: String] = [:]
  /// How many hints were shown, by kata.
  public private(set) var hints: [String: Int] = [:]

  public init() {}

  public func isDone(_ kata: Kata) -> Bool { done[kata.name] != nil }

  public func hintsShown(for kata: Kata) -> Int { hints[kata.name] ?? 0 }

  /// Takes in a verdict.
  mutating func record(_ verdict: Verdict, on day: Date = Date()) {
    if verdict.kind == .passed {
      if done[verdict.kata] == nil {
        done[verdict.kata] = day.formatted(.iso8601.year().month().day())
      }
    } else {
      done[verdict.kata] = nil
    }
  }

  mutating func recordHint(_ level: Int, of kata: Kata) { hints[kata.name] = level }

  /// Forgets a kata: it begins anew.
  mutating func forget(_ kata: Kata) {
    done[kata.name] = nil
    hints[kata.name] = nil
  }

  /// The first kata in teaching order that isn't done.
  public var next: Kata? { Catalogue.katas.first { !isDone($0) } }
}

/// Reads and writes the progress of a clone.
public struct ProgressFile: Sendable {
  static let path = ".kata-progress.json"

  let house: House

  public init(house: House) {
    self.house = house
  }

  /// The progress, and a sentence for the learner where the file had to be set aside.
  public func read() -> (progress: Progress, warning: String?) {
    guard house.exists(Self.path) else { return (Progress(), nil) }
    let text = (try? String(contentsOf: house.url(Self.path), encoding: .utf8)) ?? ""
    let progress = try? JSONDecoder().decode(Progress.self, from: Data(text.utf8))
    if let progress, progress.version == Progress.currentVersion { return (progress, nil) }
    let cause = progress == nil ? "is damaged" : "was written by a newer version"
    let aside = setAside()
    return (
      Progress(),
      """
      \(Self.path) \(cause); it was set aside as \(aside ?? "nothing, for it can't be moved"). \
      'make run KATA=all' rebuilds your progress.
      """
    )
  }

  /// Writes the progress in one step.
  func write(_ progress: Progress) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(progress) else { return }
    try house.write(String(decoding: data, as: UTF8.self) + "\n", to: Self.path)
  }

  /// Changes the progress as it is on disk now.
  public func update(_ change: (inout Progress) -> Void) throws {
    var progress = read().progress
    let before = progress
    change(&progress)
    if progress != before { try write(progress) }
  }

  private func setAside() -> String? {
    for number in 1... {
      let aside = "\(Self.path).\(number)"
      if house.exists(aside) { continue }
      let moved: Void? = try? FileManager.default.moveItem(
        at: house.url(Self.path), to: house.url(aside))
      return moved == nil ? nil : aside
    }
    return nil
  }
}
