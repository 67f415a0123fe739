import Foundation
import Testing

@testable import KataKit

@Suite struct KeyReaderTests {
  @Test(arguments: [
    ("h", [Key.character("h")]),
    ("é👍", [.character("é"), .character("👍")]),
    ("\u{1B}[A\u{1B}[B", [.up, .down]),
    ("\u{1B}OA\u{1B}OB", [.up, .down]),
    ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
    ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]),
    ("\r\u{7F}\n", [.enter, .backspace, .enter]),
    ("\u{1B}[15~x", [.character("x")]),
    ("\u{01}q", [.character("q")]),
  ])
  func `bytes are reported as keys`(bytes: String, keys: [Key]) {
    var reader = KeyReader()
    #expect(reader.keys(of: Array(bytes.utf8)) == keys)
    #expect(!reader.isWaiting)
  }

  @Test func `a key may come in pieces`() {
    var reader = KeyReader()
    #expect(reader.keys(of: [0x1B]) == [])
    #expect(reader.keys(of: [UInt8(ascii: "[")]) == [])
    #expect(reader.isWaiting)
    #expect(reader.keys(of: [UInt8(ascii: "A")]) == [.up])
    let letter = Array("é".utf8)
    #expect(reader.keys(of: [letter[0]]) == [])
    #expect(reader.keys(of: [letter[1]]) == [.character("é")])
  }

  @Test func `an escape that nothing follows is the escape key`() {
    var reader = KeyReader()
    #expect(reader.keys(of: [0x1B]) == [])
    #expect(reader.giveUpWaiting() == [.escape])
    #expect(!reader.isWaiting)
    #expect(reader.keys(of: [0x1B, UInt8(ascii: "q")]) == [.escape, .character("q")])
  }

  @Test func `bytes that are no text are skipped`() {
    var reader = KeyReader()
    #expect(
      reader.keys(of: [0xFF, 0xC3, 0x28, UInt8(ascii: "q")]) == [.character("("), .character("q")])
  }
}
