import Foundation

/// How an answer differs from the reference, as a diff.
///
/// Its parts are found by their lines and not by their numbers, so it applies as long as those
/// lines exist.
package struct Change: Sendable {
  /// Some adjacent lines, and what replaces them.
  package struct Hunk: Sendable {
    /// The number of its first line in the file that describes the kata.
    package let line: Int
    package let old: [String]
    package let new: [String]
  }

  package let hunks: [Hunk]

  init(_ hunks: [Hunk]) {
    self.hunks = hunks
  }

  /// Reads a diff: lines that begin with a space, '-' or '+', and '@@' between its parts.
  ///
  /// An empty line stands for one of the reference that is empty.
  init(_ lines: [KataFile.Line], fault: (Int, String) -> KataError) throws {
    let parts = lines.split(omittingEmptySubsequences: false) { $0.text.hasPrefix("@@") }
    hunks = try parts.map { part in
      let number = part.first?.number ?? lines.first?.number ?? 1
      var old: [String] = []
      var new: [String] = []
      for line in part {
        let text = String(line.text.dropFirst())
        switch line.text.first {
        case " ", nil:
          old.append(text)
          new.append(text)
        case "-": old.append(text)
        case "+": new.append(text)
        default:
          throw fault(line.number, "a line of a diff begins with a space, '-', '+' or '@@'")
        }
      }
      guard old != new else { throw fault(number, "this part of the diff changes nothing") }
      guard !old.isEmpty else {
        throw fault(
          number, "this part of the diff doesn't say where; give it a line of the reference")
      }
      return Hunk(line: number, old: old, new: new)
    }
  }
}
