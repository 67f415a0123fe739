import Foundation

/// The command that opens a file in the learner's editor, as `EDIT` gives it.
///
/// `{file}` and `{line}` are placeholders; without them, the file and line are added in the form
/// that the editor expects.
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
    // A path with spaces is in quotes.
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

  /// The shell command that opens a file.
  func shellLine(file: String, line: Int) -> String {
    let quoted = "'\(file.replacing("'", with: "'\\''"))'"
    // The file's name is replaced last, since it may contain anything.
    return template.replacing("{line}", with: "\(line)").replacing("{file}", with: quoted)
  }

  /// An editor that fails after this time had opened.
  private static let timeToFail = Duration.seconds(5)

  /// Starts the editor beside this process, and reports if it soon ends with an error.
  ///
  /// It gets no terminal, since this process uses it.
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
    // The variables that make has set are for this process only.
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
