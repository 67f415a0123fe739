import Foundation
import KataKit

extension Change {
  /// A part whose lines don't occur exactly once after those of the part before it.
  struct Misfit: Error {
    let hunk: Hunk
    /// How often they occur there.
    let count: Int
  }

  /// A text with the change applied.
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
