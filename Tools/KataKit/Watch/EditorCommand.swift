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
    let program = text.split(separator: " ").first?.split(separator: "/").last.map(String.init)
    template =
      switch program {
      case "code", "code-insiders", "codium", "cursor", "windsurf":
        "\(text) --goto {file}:{line}"
      case "zed", "subl": "\(text) {file}:{line}"
      case "xed", "idea", "fleet", "kate", "gedit": "\(text) --line {line} {file}"
      case "bbedit", "mate": "\(text) -l {line} {file}"
      case "vim", "nvim", "vi", "nano", "emacs", "emacsclient", "kak", "gvim", "mvim":
        "\(text) +{line} {file}"
      case "hx": "\(text) {file}:{line}"
      default: "\(text) {file}"
      }
  }

  /// The line for a shell that opens a file.
  func shellLine(file: String, line: Int) -> String {
    let quoted = "'\(file.replacing("'", with: "'\\''"))'"
    // The file's name last: it may hold anything.
    return template.replacing("{line}", with: "\(line)").replacing("{file}", with: quoted)
  }

  /// Starts the editor beside this process, and says what went wrong if it ends at once with an error.
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
    process.terminationHandler = { ended in
      guard ended.terminationReason != .exit || ended.terminationStatus != 0 else { return }
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
