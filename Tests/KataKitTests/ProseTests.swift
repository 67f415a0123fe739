import Testing

@testable import KataKit

@Suite struct ProseTests {
  @Test(arguments: [
    ("Submit it with async.", "Submit it with async."),
    ("cancel() only asks.", "`cancel()` only asks."),
    ("with flags: .barrier it waits", "with `flags: .barrier` it waits"),
    ("a plain Array<Int> of $0", "a plain `Array<Int>` of `$0`"),
    ("a slot each: [Result<A, B>?]. Then", "a slot each: `[Result<A, B>?]`. Then"),
    (
      "update: queue.async(flags: .barrier) { … }. Inside",
      "update: `queue.async(flags: .barrier) { … }`. Inside"
    ),
    ("read: try queue.sync { try body(stored) }.", "read: `try queue.sync { try body(stored) }`."),
    ("isReady that forgets super", "`isReady` that forgets super"),
    ("state == .ready alone", "`state == .ready` alone"),
    (
      "isSuspended = true; let old = item; old?.cancel()",
      "`isSuspended = true; let old = item; old?.cancel()`"
    ),
    (
      "start: guard !isCancelled else { return }; main(). Then",
      "start: `guard !isCancelled else { return }; main()`. Then"
    ),
    ("let the queue do it", "let the queue do it"),
    ("if nobody waits, return at once", "if nobody waits, return at once"),
    ("while count == 0 { wait() }", "`while count == 0 { wait() }`"),
    (
      "lock; if isDone { stop() } else { go() }; return true",
      "lock; `if isDone { stop() } else { go() }; return true`"
    ),
    ("a lock; fill(index) -> Bool returns", "a lock; `fill(index) -> Bool` returns"),
    ("an NSLock; fill(index) says", "an `NSLock`; `fill(index)` says"),
    ("is [.ready, .executing] then", "is `[.ready, .executing]` then"),
    ("let next = isEmpty ? nil : first. Then", "`let next = isEmpty ? nil : first`. Then"),
    ("(answer as? Reply)?.status tells", "`(answer as? Reply)?.status` tells"),
    ("on iOS and macOS, e.g. in GCD", "on iOS and macOS, e.g. in GCD"),
    ("a word(s) more", "a word(s) more"),
    ("call `done` first", "call `done` first"),
    ("a lone ` here", "a lone \\` here"),
    ("a <b and c* d _now_ ~x~ &amp;", #"a \<b and c\* d \_now\_ \~x\~ \&amp;"#),
  ])
  func `what is plainly code is code`(text: String, markdown: String) {
    #expect(Prose(text).markdown == markdown)
  }

  @Test(arguments: [
    ("either | or", "either \\| or"), ("code with a `|` in it", "code with a `\\|` in it"),
    ("none", "none"),
  ])
  func `a bar doesn't end a cell`(text: String, cell: String) {
    #expect(Prose(text).cell == cell)
  }

  @Test(arguments: [
    ("- first", "\\- first"), ("1. first", "1\\. first"), ("@Row is a word", "`@Row` is a word"),
    ("} ends", "\\} ends"), ("# first", "\\# first"),
  ])
  func `the beginning of a line makes no list and no directive`(text: String, markdown: String) {
    #expect(Prose(text).markdown == markdown)
  }

  @Test func `several lines become one`() {
    #expect(Prose("one\ntwo\n\n- three").markdown == "one two - three")
  }

  @Test func `an argument of a directive has no quotes in it`() {
    #expect(Prose.argument("say \"no\"\nto it\\") == "say 'no' to it")
  }

  @Test func `code with a backtick in it stays code`() {
    #expect(Prose.code("a`b") == "``` a`b ```")
  }

  @Test func `a heading begins with a capital unless it begins with code`() {
    #expect("no barrier".sentenceCased == "No barrier")
    #expect("isReady forgets super".sentenceCased == "isReady forgets super")
  }

  @Test func `no text of the catalogue is lost`() {
    for kata in Catalogue.katas {
      for text in kata.hints + kata.mistakes.flatMap({ [$0.name, $0.advice] }) {
        let plain = words(of: Prose(text).markdown)
        let expected = words(of: text)
        #expect(plain == expected, "\(kata.name)")
      }
    }
  }

  /// The words of a text, without what Markdown needs beside them.
  private func words(of text: String) -> [Substring] {
    text.filter { $0 != "\\" && $0 != "`" }.split(whereSeparator: \.isWhitespace)
  }
}
