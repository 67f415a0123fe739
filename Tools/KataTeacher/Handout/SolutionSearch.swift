import Foundation
import KataKit

/// Searches for text of references in files that are handed out without them.
///
/// The contents of a handout are chosen, not searched (``Handout``); this is for generated files,
/// such as the documentation's site.
struct SolutionSearch {
  /// Lines that occur in one reference and in no file that participants may see, with its kata.
  let lines: [String: String]

  /// Creates a search for the references that `handout` leaves out.
  init(for handout: Handout) throws {
    let repository = handout.repository
    let handedOut = Set(handout.references.map(\.name))
    var known: Set<String> = []
    let sources = try Module.allCases.flatMap(repository.specSources(of:))
    for path in try repository.files(below: "Tools") + sources {
      known.formUnion(Self.lines(of: try repository.text(path)))
    }
    for kata in Catalogue.katas {
      known.formUnion(Self.lines(of: try repository.text(repository.stubPath(of: kata))))
    }
    var lines: [String: String] = [:]
    for kata in Catalogue.katas {
      for line in Self.lines(of: try repository.text(repository.referencePath(of: kata))) {
        if handedOut.contains(kata.name) || lines[line] != nil { known.insert(line) }
        lines[line] = kata.name
      }
    }
    self.lines = lines.filter { !known.contains($0.key) }
  }

  /// The kata of which a text contains at least one whole line; nil if there is none.
  func kata(shownBy text: String) -> String? {
    // The site contains code as lists of strings in JSON.
    let plain = text.replacingOccurrences(of: "\",\"", with: "\n")
      .replacingOccurrences(of: "\\\"", with: "\"").replacingOccurrences(of: "\\/", with: "/")
    return Self.lines(of: plain).lazy.compactMap { lines[$0] }.first
  }

  /// The lines that are long enough to be unique, without comments.
  private static func lines(of source: String) -> Set<String> {
    Set(
      source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.count >= 24 && !$0.hasPrefix("//") && !$0.hasPrefix("import ") })
  }
}
