import Foundation

/// The patterns of all mistakes and stubs, as `verify` has measured them.
///
/// They are in a generated file in each kata's folder, which `verify` writes. Judging reads the
/// kata's own, and works without it if it's missing, damaged or lacks a mistake.
package struct PatternBook: Equatable, Sendable {
  /// The name of the generated file in a kata's folder.
  package static let file = "Patterns.json"

  /// The generated file of a kata, relative to the root.
  package static func path(of kata: Kata) -> String { "\(kata.folder)/\(file)" }

  /// The name for the pattern of a kata's stub, among those of its mistakes.
  package static let stub = "stub"

  /// The patterns by kata and mistake.
  package var patterns: [String: [String: Pattern]] = [:]

  package init(_ patterns: [String: [String: Pattern]] = [:]) {
    self.patterns = patterns
  }

  /// The pattern of a mistake; nil if it hasn't been measured.
  package func pattern(of mistake: String, in kata: String) -> Pattern? { patterns[kata]?[mistake] }

  // MARK: - The files

  /// The patterns of one kata; empty if they can't be read.
  package static func patterns(of kata: Kata, in repository: Repository) -> PatternBook {
    PatternBook((try? read(kata, in: repository)).map { [kata.name: $0] } ?? [:])
  }

  /// The patterns of one kata; throws if its file is missing or damaged.
  package static func read(_ kata: Kata, in repository: Repository) throws -> [String: Pattern] {
    let path = path(of: kata)
    do {
      return try JSONDecoder()
        .decode([String: Pattern].self, from: Data(try repository.text(path).utf8))
    } catch {
      throw KataError(
        """
        \(path) can't be read; restore it with 'git checkout -- \(path)', or remove it and run \
        'make verify KATA=\(kata.name)'.
        """, .environment)
    }
  }
}
