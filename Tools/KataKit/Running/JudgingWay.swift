import Foundation

/// How a verdict on a learner's answer is reached.
package enum JudgingWay: String, Sendable {
  /// The answer is compiled alone, and loaded by specs that were built before.
  case fast
  /// `swift build` and `swift test`.
  case plain

  /// The value of `KATA_WAY`, or nil if it's unset.
  package static func fromEnvironment() throws -> JudgingWay? {
    try JudgingWay(chosenBy: ProcessInfo.processInfo.environment["KATA_WAY"])
  }

  /// The way with this name; nil without a name, and a ``KataError`` for any other word.
  init?(chosenBy text: String?) throws {
    guard let text, !text.isEmpty else { return nil }
    guard let way = JudgingWay(rawValue: text) else {
      throw KataError(
        """
        KATA_WAY is '\(text)'; give 'plain' for verdicts by 'swift test' or 'fast' for verdicts only by \
        the fast way, or leave it unset.
        """, .usage)
    }
    self = way
  }
}

/// A record that the fast way was refused on this machine, with these sources and this toolchain.
///
/// It's stored, so that the learner sees one note and doesn't wait at every save for another
/// failure.
struct FastWayRefusal: Codable {
  private let toolchain: String
  private let inputs: [String: FileStamp]
  let reason: String

  private static func path(_ module: Module) -> String {
    ".build/plain-\(module.rawValue)-because.json"
  }

  /// The recorded refusal of the fast way for a module; nil if there is none.
  static func known(of module: Module, in repository: Repository) -> FastWayRefusal? {
    guard let data = try? Data(contentsOf: repository.url(path(module))),
      let known = try? JSONDecoder().decode(FastWayRefusal.self, from: data),
      known.toolchain == (try? Toolchain(for: repository).identity),
      known.inputs == WorkspaceSnapshot(of: repository).part(for: module)
    else { return nil }
    return known
  }

  /// Records why it was refused.
  static func keep(_ reason: String, of module: Module, in repository: Repository) throws {
    let refusal = FastWayRefusal(
      toolchain: try Toolchain(for: repository).identity,
      inputs: WorkspaceSnapshot(of: repository).part(for: module), reason: reason)
    try repository.write(try JSONEncoder().encode(refusal), to: path(module))
  }

  /// Removes the record, so that the fast way is tried again.
  static func forget(_ module: Module, in repository: Repository) {
    try? FileManager.default.removeItem(at: repository.url(path(module)))
  }
}
