import Foundation

/// How an answer becomes a library: the commands that the compiler's driver would run, without the
/// driver.
///
/// The driver is asked once what it would do with files of these names, which takes as long as
/// compiling an answer.
struct AnswerRecipe: Codable, Sendable {
  /// The files of an answer.
  struct Files: Codable, Sendable {
    let source: String
    let object: String
    let interface: String
    let library: String
  }

  /// The files that the commands name.
  private let files: Files
  /// The commands in their order, as lists of words.
  private let commands: [[String]]

  /// Reads the commands from the driver's output; nil if it has an unknown form.
  ///
  /// - Parameters:
  ///   - files: An answer's files; the source must be there.
  ///   - jobs: The driver's output for `-driver-print-jobs`: compiling first, then linking.
  init?(of files: Files, jobs: [String]) {
    self.files = files
    commands = jobs.flatMap { $0.split(separator: "\n") }.map { Self.words(in: $0) }
    guard commands.count >= 2, commands.allSatisfy({ $0.first?.hasPrefix("/") == true }),
      commands[0].contains(files.source), commands[0].contains(files.object),
      commands[0].contains(files.interface), commands[commands.count - 1].contains(files.library),
      commands.dropFirst().contains(where: { $0.contains(files.object) })
    else { return nil }
  }

  /// The commands for another answer, which is linked without the object of its own stub.
  func commands(for answer: Files, without stub: String) -> [Command] {
    let names = [
      files.source: answer.source, files.object: answer.object,
      files.interface: answer.interface, files.library: answer.library,
    ]
    let folder = URL(filePath: answer.object).deletingLastPathComponent().path
    return commands.map { words in
      let own = words.filter { $0 != stub }.map { word in
        names[word] ?? Self.moved(word, into: folder)
      }
      return Command(own[0], Array(own.dropFirst()))
    }
  }

  /// The name of a temporary file of the driver, which is deleted by now, in another folder.
  private static func moved(_ word: String, into folder: String) -> String {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[parts.count - 2].hasPrefix("TemporaryDirectory.") else {
      return word
    }
    // '@' precedes the name of a file that contains the words.
    return "\(parts[0])\(folder)/\(parts[parts.count - 1])"
  }

  /// Splits a command line into words, as a shell does.
  static func words(in line: some StringProtocol) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap { $0 }
  }
}
