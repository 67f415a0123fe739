import Foundation
import KataKit

extension Repository {
  /// A text as it may leave this machine.
  ///
  /// Without the codes that colour a terminal, without the clone's own path, and of a bounded length:
  /// learners' programs can say anything.
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
  /// The beginning of the text, in at most so many bytes of UTF-8, with a mark where it was cut.
  package func bounded(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let mark = "…"
    // A place in the middle of a scalar counts as the one before it.
    return self[..<utf8.index(startIndex, offsetBy: limit - mark.utf8.count)] + mark
  }
}
