import Foundation

/// How a verdict on a learner's answer is reached.
package enum JudgingWay: String, Sendable {
  /// The answer is compiled alone, and loaded by specs that were built before.
  case fast
  /// `swift build` and `swift test`.
  case plain

  /// What `KATA_WAY` says, or nil where it is unset.
  package static func fromEnvironment() throws -> JudgingWay? {
    try JudgingWay(chosenBy: ProcessInfo.processInfo.environment["KATA_WAY"])
  }

  /// The way that this word stands for; nil where there is none, and a ``KataError`` for any other word.
  init?(chosenBy text: String?) throws {
    guard let text, !text.isEmpty else { return nil }
    guard let way = JudgingWay(rawValue: text) else {
      throw KataError(
        """
        KATA_WAY is '\(text)'; give 'plain' for verdicts by 'swift test' or 'fast' for no others than by \
        the fast way, or leave it unset.
        """, .usage)
    }
    self = way
  }
}

/// That the fast way was refused on this machine, with these sources and this toolchain.
///
/// It's kept, so that a learner is told once and doesn't wait at every save for what fails again.
struct FastWayRefusal: Codable {
  private let toolchain: String
  private let inputs: [String: FileStamp]
  let reason: String

  private static func path(_ module: Module) -> String {
    ".build/plain-\(module.rawValue)-because.json"
  }

  /// What is known to refuse the fast way for a module; nil where nothing is.
  static func known(of module: Module, in repository: Repository) -> FastWayRefusal? {
    guard let data = try? Data(contentsOf: repository.url(path(module))),
      let known = try? JSONDecoder().decode(FastWayRefusal.self, from: data),
      known.toolchain == (try? Toolchain(for: repository).identity),
      known.inputs == WorkspaceSnapshot(of: repository).part(for: module)
    else { return nil }
    return known
  }

  /// Keeps why it was refused.
  static func keep(_ reason: String, of module: Module, in repository: Repository) throws {
    let refusal = FastWayRefusal(
      toolchain: try Toolchain(for: repository).identity,
      inputs: WorkspaceSnapshot(of: repository).part(for: module), reason: reason)
    try repository.write(try JSONEncoder().encode(refusal), to: path(module))
  }

  /// Forgets it: it's tried again.
  static func forget(_ module: Module, in repository: Repository) {
    try? FileManager.default.removeItem(at: repository.url(path(module)))
  }
}
