import Foundation
import KataTesting
import Testing

@testable import KataKit

@Suite(.kata) struct ReadingTests {
  @Test func `an error is reported once, with its line of source`() {
    let log = """
      [3/7] Compiling BarriersKatas PhotoStore.swift
      /clone/Katas/Barriers/PhotoStore.swift:12:5: error: cannot find 'quue' in scope
          quue.sync { 1 }
          ^~~~
      /clone/Katas/Barriers/PhotoStore.swift:12:5: error: cannot find 'quue' in scope
          quue.sync { 1 }
          ^~~~
      /clone/Katas/Barriers/PhotoStore.swift:14:5: warning: unused
      error: fatalError
      """
    #expect(
      CompilerMessage.errors(in: log) == [
        CompilerMessage(
          file: "/clone/Katas/Barriers/PhotoStore.swift", line: 12, column: 5,
          message: "cannot find 'quue' in scope", excerpt: ["    quue.sync { 1 }", "    ^~~~"])
      ])
  }

  @Test func `the compiler's notes go with their error`() {
    let log = """
      /clone/Katas/A.swift:3:9: error: missing argument for parameter 'of' in call
          store(1)
              ^
      /clone/Katas/A.swift:9:8: note: 'store(_:of:)' declared here
        func store(_ value: Int, of key: String) {}
             ^
      /clone/Katas/A.swift:4:9: warning: variable 'x' was never used
      /clone/Katas/A.swift:5:9: note: this belongs to the warning
      """
    let messages = CompilerMessage.errors(in: log + "\n" + log)
    #expect(messages.count == 1)
    #expect(
      messages.first?.notes == [
        CompilerMessage.Note(
          file: "/clone/Katas/A.swift", line: 9, message: "'store(_:of:)' declared here")
      ])
  }

  @Test func `events are read as they come, also half a line at a time`() throws {
    try Fixtures.withEmptyRepository { repository in
      let pipe = try EventPipe(repository.url("events").path)
      defer { pipe.close() }
      let file = try #require(FileHandle(forWritingAtPath: pipe.path))
      var stream = EventStream()
      #expect(pipe.read().isEmpty)
      let lines = """
        {"kind":"test","payload":{"displayName":"it works","id":"M.S/`it works`()","kind":"function",\
        "name":"`it works`()","sourceLocation":{"filePath":"/t.swift","line":4}},"version":"6.3.0"}
        {"kind":"event","payload":{"kind":"testStarted","testID":"M.S/`it works`()"}}
        {"kind":"event","payload":{"issue":{"isKnown":false,"isFailure":true,"sourceLocation":\
        {"filePath":"/t.swift","line":5}},"kind":"issueRecorded","messages":[{"symbol":"fail","text":\
        "Expectation failed: 1 == 2"},{"symbol":"details","text":"It broke."}],\
        "testID":"M.S/`it works`()"}}
        {"kind":"event","payload":{"kind":"runEnded"}}

        """
      let bytes = Data(lines.utf8)
      var events: [EventStream.Event] = []
      for start in stride(from: 0, to: bytes.count, by: 37) {
        try file.write(contentsOf: bytes[start..<min(start + 37, bytes.count)])
        events += stream.take(pipe.read())
      }
      #expect(events.count == 4)
      #expect(
        events.first == .test(id: "M.S/`it works`()", name: "it works", file: "/t.swift", line: 4))
      #expect(events.last == .runEnded)
      guard case .issue(_, let issue) = events[2] else {
        Issue.record("The third event is an issue.")
        return
      }
      #expect(issue.sentence == "It broke." && issue.line == 5 && !issue.isHang)
    }
  }

  @Test func `known issues and garbage are passed over`() {
    let lines = """
      not JSON
      {"kind":"event","payload":{"issue":{"isKnown":true},"kind":"issueRecorded","messages":[]}}
      {"kind":"event","payload":{"kind":"somethingNew"}}

      """
    var stream = EventStream()
    #expect(stream.take(Data(lines.utf8)).isEmpty)
  }

  @Test func `a race report names both sides in this package`() throws {
    let log = """
      ==================
      WARNING: ThreadSanitizer: data race (pid=7)
        Write of size 8 at 0x7b0400000010 by thread T2:
          #0 PhotoStore.add(_:) /clone/Katas/Barriers/PhotoStore.swift:31:13 (tests+0x1)
          #1 closure #1 /clone/Tests/BarriersTests/PhotoStoreTests.swift:9 (tests+0x2)

        Previous read of size 8 at 0x7b0400000010 by thread T1:
          #0 swift_retain <null> (libswiftCore.so+0x3)
          #1 PhotoStore.photos.getter /clone/Katas/Barriers/PhotoStore.swift:22:5 (tests+0x4)

      SUMMARY: ThreadSanitizer: data race
      ==================
      """
    let races = RaceReport.parse(log)
    try #require(races.count == 1)
    #expect(races[0].accesses.map(\.kind) == ["Write", "Previous read"])
    #expect(races[0].accesses.map { $0.frames.first?.line } == [31, 22])
  }

  @Test func `a race report may know files by their names alone`() throws {
    let log = """
      WARNING: ThreadSanitizer: data race (pid=7)
        Write of size 8 at 0x000107a0 by thread T2:
          #0 closure #1 in PhotoStore.add(_:) PhotoStore.swift:31 (PackageTests:arm64+0x1b2c)
          #1 thunk for @escaping @callee_guaranteed () -> () (PackageTests:arm64+0x2)

        Previous read of size 8 at 0x000107a0 by thread T1:
          #0 PhotoStore.photos.getter (in PackageTests) (PhotoStore.swift:22)
          #1 Other.f() Other.swift:4 (PackageTests:arm64+0x3)

      SUMMARY: ThreadSanitizer: data race PhotoStore.swift:31 in PhotoStore.add(_:)

      """
    let file = "/clone/Katas/Barriers/PhotoStore.swift"
    let races = try Fixtures.withEmptyRepository { repository in
      try repository.write(log, to: "0/race.7")
      return try RaceReport.read(in: repository.root.path, answer: [file])
    }
    try #require(races.count == 1)
    #expect(races[0].accesses.map { $0.frames.map(\.file) } == [[file], [file]])
    #expect(races[0].accesses.map { $0.frames.first?.line } == [31, 22])
  }

  @Test
  func `of several races the one with places in the learner's file is reported, and they first`() {
    func side(_ files: String...) -> RaceReport.Access {
      .init(
        kind: "Write",
        frames: files.map { .init(function: "f", file: "/clone/\($0)", line: 1) })
    }
    let (spec, answer) = ("Tests/BarriersTests/A.swift", "Katas/Barriers/A.swift")
    let races = [
      RaceReport(accesses: [side(spec), side(spec)]),
      RaceReport(accesses: [side(spec), side(spec, answer)]),
    ]
    let told = RaceReport.mostTelling(of: races)
    #expect(told?.sides.compactMap(\.place?.file) == ["/clone/\(answer)", "/clone/\(spec)"])
    #expect(RaceReport.mostTelling(of: []) == nil)
    #expect(!RaceReport.sentence(isLearners: true).contains("the spec's"))
    #expect(RaceReport.sentence(isLearners: false).contains("the spec's"))
  }

  @Test func `only the beginning and the end of a flood are kept`() {
    let output = CappedOutput(cap: 1000)
    output.append(Data("begin ".utf8))
    for _ in 0..<10_000 { output.append(Data(repeating: UInt8(ascii: "x"), count: 100)) }
    output.append(Data(" end".utf8))
    #expect(output.text.count < 2000)
    #expect(output.text.hasPrefix("begin "))
    #expect(output.text.hasSuffix(" end"))
    #expect(output.text.contains("bytes left out"))
  }

  @Test func `words are set in lines and pictures stay as they are`() {
    let style = TextStyle(hasColours: false, width: 40)
    let text =
      "one two three four five six seven eight nine ten\n\n  ├──┤  a picture that is wider than forty"
    #expect(
      style.reflow(text, indent: 2) == """
          one two three four five six seven
          eight nine ten

            ├──┤  a picture that is wider than forty
        """)
  }
}
