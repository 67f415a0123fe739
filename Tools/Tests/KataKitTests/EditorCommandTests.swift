import Foundation
import Testing

@testable import KataKit

@Suite struct EditorCommandTests {
  @Test(arguments: [
    ("code", "code --goto '/a b/C.swift':7"),
    ("/usr/bin/code -n", "/usr/bin/code -n --goto '/a b/C.swift':7"),
    ("xed", "xed --line 7 '/a b/C.swift'"), ("bbedit", "bbedit +7 '/a b/C.swift'"),
    ("'/My Apps/bin/code' -n", "'/My Apps/bin/code' -n --goto '/a b/C.swift':7"),
    ("subl", "subl '/a b/C.swift':7"), ("emacsclient -n", "emacsclient -n +7 '/a b/C.swift'"),
    ("unheard-of", "unheard-of '/a b/C.swift'"),
    ("tmux split-window vim +{line} {file}", "tmux split-window vim +7 '/a b/C.swift'"),
  ])
  func `an editor is given the file and the line as it takes them`(text: String, line: String) {
    #expect(EditorCommand(text).shellLine(file: "/a b/C.swift", line: 7) == line)
  }

  @Test func `a name may hold what a shell would obey`() throws {
    let file = "/tmp/it's $HOME `x` {line}.swift"
    let line = EditorCommand("printf %s").shellLine(file: file, line: 7)
    let shell = ChildProcess("/bin/sh", ["-c", line], in: Fixtures.repository.root)
    try shell.start()
    #expect(shell.waitForEnd() == .exited(0))
    #expect(shell.output == file)
  }

  @Test func `without EDIT there is none`() {
    #expect(EditorCommand(environment: [:]) == nil)
    #expect(EditorCommand(environment: ["EDIT": " "]) == nil)
    #expect(EditorCommand(environment: ["EDIT": "code"]) == EditorCommand("code"))
  }
}
