import Foundation
import KataKit

extension Repository {
  /// A text that is safe to leave this machine.
  ///
  /// It has no terminal codes, no path of the clone, and a bounded length, since learners' programs
  /// can print anything.
  package func portable(_ text: String) -> String {
    var text = text
    if text.unicodeScalars.contains("\u{1B}") {
      text.replace(Self.terminalCode, with: "")
    }
    return withoutRoots(text).bounded(toBytes: 16 * 1024)
  }

  /// Control sequences (colours, the cursor) and operating system commands (titles, links).
  private static var terminalCode: Regex<Substring> {
    #/\x1B\[[0-?]*[ -\/]*[@-~]|\x1B\][^\x07\x1B]*(?:\x07|\x1B\\)/#.matchingSemantics(.unicodeScalar)
  }
}

extension String {
  /// The beginning of the text, in at most this many bytes of UTF-8, with a mark if it was cut.
  package func bounded(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let mark = "…"
    // An index in the middle of a scalar counts as the scalar's start.
    return self[..<utf8.index(startIndex, offsetBy: limit - mark.utf8.count)] + mark
  }
}
