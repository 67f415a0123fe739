import Foundation
import Testing

@testable import KataKit

@Suite struct ScreenTextTests {
  private let red = "\u{1B}[31m"
  private let plain = "\u{1B}[0m"

  @Test(arguments: [
    ("abc", 3), ("ä├─", 3), ("日本", 4), ("👍🏽", 2), ("\u{1B}[31ma\u{1B}[0m", 1), ("", 0),
  ])
  func `width is counted in columns`(text: String, columns: Int) {
    #expect(ScreenText.width(of: text) == columns)
  }

  @Test func `what fits stays, and what doesn't says so`() {
    #expect(ScreenText.clipped("abcd", to: 4) == "abcd")
    #expect(ScreenText.clipped("abcde", to: 4) == "abc…")
    #expect(ScreenText.clipped("日本語", to: 5) == "日本…")
    #expect(ScreenText.clipped("a", to: 0) == "")
  }

  @Test func `a colour ends where its text is cut off`() {
    #expect(ScreenText.clipped("\(red)abcde\(plain)", to: 3) == "\(red)ab…\(plain)")
    #expect(ScreenText.clipped("\(red)abc\(plain)", to: 3) == "\(red)abc\(plain)")
  }

  @Test func `a place is a link where the terminal makes links, and takes no more columns`() {
    let path = "Tests/A b/C.swift"
    let style = TextStyle(hasColours: false, width: 80, linkRoot: "/root/of it")
    let place = style.place(path, "12:5", indent: 4)
    let link = "\u{1B}]8;;file:///root/of%20it/Tests/A%20b/C.swift#L12\u{1B}\\"
    #expect(place == "\(link)\(path):12:5\u{1B}]8;;\u{1B}\\")
    #expect(ScreenText.width(of: place) == path.count + 5)
    #expect(ScreenText.clipped(place, to: 80) == place)
    #expect(ScreenText.clipped(place, to: 6) == "\(link)Tests…\u{1B}]8;;\u{1B}\\")
    #expect(TextStyle(hasColours: false).place(path, "12", indent: 4) == "\(path):12")
    #expect(ScreenText.clipped("\u{1B}]8;;https://a.b\u{1B}\\x", to: 80) == "]8;;https://a.b\\x")
  }

  @Test(arguments: [
    (["TERM_PROGRAM": "iTerm.app"], true), (["TERM_PROGRAM": "Apple_Terminal"], false),
    (["VTE_VERSION": "7600"], true), (["VTE_VERSION": "4600"], false), ([:], false),
    (["KITTY_WINDOW_ID": "1"], true), (["TERM_PROGRAM": "vscode", "TMUX": "/tmp/x"], false),
  ])
  func `links are made where terminals know them`(environment: [String: String], hasLinks: Bool) {
    #expect(TextStyle.hasLinks(environment) == hasLinks)
  }

  @Test func `nothing in a text can move the cursor`() {
    #expect(ScreenText.clipped("a\u{1B}[2Jb\u{07}c\rd\te", to: 20) == "a[2Jbcd  e")
  }
}
