import Foundation
import KataKit

extension KataFile {
  /// The file as participants get it: without what is for whoever teaches or writes specs, and without
  /// the texts of answers unless the references come along.
  ///
  /// - Parameters:
  ///   - katas: The names of the katas that are handed out; what isn't among them can't be done first.
  ///   - hasReferences: Whether the texts of answers are told.
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
  /// The lines below its heading but the answer's text, or the file with it.
  fileprivate var bodyWithoutAnswer: [String] {
    var isCode = false
    return body.filter { line in
      let isFence = line.hasPrefix("```")
      if isFence { isCode.toggle() }
      return !isFence && !isCode && !line.hasPrefix("- answer: ")
    }
  }
}
