/// The manifest for participants, with the modules of the handout.
struct HandoutManifest {
  let text: String

  /// Removes modules without a file in `files` from `manifest`, which lists a module a line, and
  /// the libraries' own tests.
  init(_ manifest: String, files: Set<String>) {
    func isThere(_ folder: String) -> Bool { files.contains { $0.hasPrefix("\(folder)/") } }
    let paragraphs = manifest.split(separator: "\n\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("// The libraries' own tests.") }
    text = paragraphs.map { paragraph in
      let folder = paragraph.contains("\nlet katas: [Module] = [") ? "Katas" : "Modules"
      return paragraph.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { line in Self.module(in: line).map { isThere("\(folder)/\($0)") } ?? true }
        .map { line in Self.importing(line) { isThere("Modules/\($0)") } }
        .joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// The module that a line lists, if any.
  private static func module(in line: Substring) -> Substring? {
    line.prefixMatch(of: #/  Module\("(\w+)"/#)?.1
  }

  /// A line that lists a module, with only those of its imports that `isThere`.
  private static func importing(_ line: Substring, _ isThere: (Substring) -> Bool) -> String {
    guard module(in: line) != nil, let list = line.firstMatch(of: #/imports: \[(.*)\]/#) else {
      return String(line)
    }
    let kept = list.1.split(separator: ", ").filter { isThere($0.dropFirst().dropLast()) }
    return line.replacing(list.output.0, with: "imports: [\(kept.joined(separator: ", "))]")
      .description
  }
}
