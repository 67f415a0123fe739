import Foundation

/// How an answer differs from the reference: a diff, whose parts are found by their lines and not by
/// their numbers, so that it fits as long as those lines stand.
public struct Change: Sendable {
  /// Some lines that stand together, and what comes in their place.
  struct Hunk: Sendable {
    /// The number of its first line in the file that describes the kata.
    let line: Int
    let old: [String]
    let new: [String]
  }

  let hunks: [Hunk]

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

  /// A part whose lines don't stand exactly once where they were looked for, behind those of the part
  /// before it.
  struct Misfit: Error {
    let hunk: Hunk
    /// How often they stand there.
    let count: Int
  }

  /// A text with the change made in it.
  func applied(to text: String) throws(Misfit) -> String {
    let lines = text.components(separatedBy: "\n")
    var changed: [String] = []
    var end = 0
    for hunk in hunks {
      let places = lines.indices.filter { lines[$0...].starts(with: hunk.old) }
      guard places.count == 1, places[0] >= end else {
        throw Misfit(hunk: hunk, count: places.count == 1 ? 0 : places.count)
      }
      changed += lines[end..<places[0]] + hunk.new
      end = places[0] + hunk.old.count
    }
    return (changed + lines[end...]).joined(separator: "\n")
  }
}
