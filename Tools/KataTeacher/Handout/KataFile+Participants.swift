import Foundation
import KataKit

extension KataFile {
  /// The file for participants, without the parts for instructors and authors of specs.
  ///
  /// - Parameters:
  ///   - katas: The names of the katas in the handout; others can't be prerequisites.
  ///   - hasReferences: Whether the texts of answers are included.
  /// - Returns: The text.
  func forParticipants(among katas: [String], hasReferences: Bool) -> String {
    var lines = ["---"]
    for key in Self.keys {
      guard var value = head[key]?.text else { continue }
      if key == "needs" {
        value = value.components(separatedBy: ", ").filter(katas.contains).joined(separator: ", ")
      }
      if !value.isEmpty { lines.append("\(key): \(value)") }
    }
    lines += ["---", ""]
    let kinds: [Kind] = [.hint, .mistake, .beyondOperation] + (hasReferences ? [.rightAnswer] : [])
    for section in sections where kinds.contains(section.kind) {
      let kind = section.kind.rawValue
      lines.append("## \(kind)\(section.kind.isNamed ? ": \(section.name)" : "")")
      lines += (hasReferences ? section.body : section.bodyWithoutAnswer)
        .filter { !$0.hasPrefix("- breaks: ") }
    }
    return lines.joined(separator: "\n")
  }
}

extension KataFile.Section {
  /// The lines below its heading without the answer's text or file.
  fileprivate var bodyWithoutAnswer: [String] {
    var isCode = false
    return body.filter { line in
      let isFence = line.hasPrefix("```")
      if isFence { isCode.toggle() }
      return !isFence && !isCode && !line.hasPrefix("- answer: ")
    }
  }
}
