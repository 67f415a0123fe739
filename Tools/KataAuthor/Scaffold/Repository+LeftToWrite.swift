import Foundation
import KataKit

extension Repository {
  /// What is left to write of a kata, in a sentence each: file, line, and what goes there.
  ///
  /// A scaffold marks such places with `WRITE:`. In files that list every kata, a mark counts if
  /// its line names this kata.
  func leftToWrite(of kata: Kata) -> [String] {
    let own =
      [referencePath(of: kata), learnerPath(of: kata)]
      + [kata.specFolder, kata.folder].flatMap { (try? files(below: $0)) ?? [] }
      + [DocumentationPage.path(ofPage: kata.name)]
    let shared = [DocumentationPage.path(ofPage: kata.module.chapter), "CHANGELOG.md"]
    var left = own.flatMap { marks(in: $0) } + shared.flatMap { marks(in: $0, naming: kata.name) }
    // A gap in the stub is also a gap in its copy.
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
