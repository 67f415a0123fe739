import Foundation

/// The command that opens a file in the learner's editor, as `EDIT` gives it.
///
/// `{file}` and `{line}` stand for the place; where they're absent they are added as that editor takes them.
struct EditorCommand: Equatable {
  private let template: String

  /// The editor that the environment names, or nil.
  init?(environment: [String: String]) {
    guard let text = environment["EDIT"], text.contains(where: { $0 != " " }) else { return nil }
    self.init(text)
  }

  init(_ text: String) {
    guard !text.contains("{file}") else {
      template = text
      return
    }
    // A path with spaces stands in quotes.
    let start = text.drop { $0 == " " }
    let quote = start.first.flatMap { "'\"".contains($0) ? $0 : nil }
    let word = (quote == nil ? start : start.dropFirst()).prefix { $0 != quote ?? " " }
    template =
      switch word.split(separator: "/").last.map(String.init) {
      case "code", "code-insiders", "codium", "cursor", "windsurf":
        "\(text) --goto {file}:{line}"
      case "zed", "subl", "hx": "\(text) {file}:{line}"
      case "xed", "idea", "kate": "\(text) --line {line} {file}"
      case "mate": "\(text) -l {line} {file}"
      case "bbedit", "gedit", "vim", "nvim", "vi", "nano", "emacs", "emacsclient", "kak", "gvim",
        "mvim":
        "\(text) +{line} {file}"
      default: "\(text) {file}"
      }
  }

  /// The line for a shell that opens a file.
  func shellLine(file: String, line: Int) -> String {
    let quoted = "'\(file.replacing("'", with: "'\\''"))'"
    // The file's name last: it may hold anything.
    return template.replacing("{line}", with: "\(line)").replacing("{file}", with: quoted)
  }

  /// What ends with an error later than that has been open.
  private static let timeToFail = Duration.seconds(5)

  /// Starts the editor beside this process, and says what went wrong if it soon ends with an error.
  ///
  /// It gets no terminal: that is taken.
  func open(
    file: URL, line: Int, onFailure: @escaping @Sendable (String) -> Void
  ) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let command = shellLine(file: file.path, line: line)
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // What make has given to this process is for this kata, and not for whatever is done in the editor.
    process.environment = ProcessInfo.processInfo.environment.filter {
      !["MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL", "KATA"].contains($0.key)
    }
    let begin = ContinuousClock.now
    process.terminationHandler = { ended in
      guard ended.terminationReason != .exit || ended.terminationStatus != 0,
        begin.duration(to: .now) < Self.timeToFail
      else { return }
      onFailure(
        """
        The editor didn't open: '\(command)' ended with \(ended.terminationStatus). EDIT is a command that needs no \
        terminal, such as 'code', or one with {file} and {line}.
        """)
    }
    do {
      try process.run()
    } catch {
      throw KataError("There is no /bin/sh to start an editor with.", .environment)
    }
  }
}
