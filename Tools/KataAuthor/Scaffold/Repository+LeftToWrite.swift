import Foundation
import KataKit

extension Repository {
  /// Where something of a kata is left to write, a sentence each: file, line, and what goes there.
  ///
  /// A scaffold marks such places with `WRITE:`. In files that aren't the kata's own a mark counts where the line
  /// names the kata.
  func leftToWrite(of kata: Kata) -> [String] {
    let own =
      [referencePath(of: kata), learnerPath(of: kata)]
      + [kata.specFolder, kata.folder].flatMap { (try? files(below: $0)) ?? [] }
      + [DocumentationPage.path(ofPage: kata.name)]
    let shared = [DocumentationPage.path(ofPage: kata.module.chapter), "CHANGELOG.md"]
    var left = own.flatMap { marks(in: $0) } + shared.flatMap { marks(in: $0, naming: kata.name) }
    // What is missing in the stub is missing in its copy.
    if left.contains(where: { $0.hasPrefix("\(learnerPath(of: kata)):") }) {
      left.removeAll { $0.hasPrefix("\(stubPath(of: kata)):") }
    }
    return left
  }

  private func marks(in path: String, naming name: String = "") -> [String] {
    let lines = (try? text(path))?.components(separatedBy: "\n") ?? []
    return lines.enumerated().compactMap { index, line in
      guard let mark = line.firstRange(of: "WRITE: "), name.isEmpty || line.contains(name) else {
        return nil
      }
      let sentence = line[mark.upperBound...].trimmingCharacters(
        in: CharacterSet(charactersIn: ".?"))
      return "\(path):\(index + 1): write \(sentence)."
    }
  }
}
