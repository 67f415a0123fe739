import Foundation
import KataTesting
import Testing

@testable import KataKit

/// Builds of a small package, with SwiftPM and by its plan.
@Suite(.serialized, .kata, .enabled(if: isMakeTest, "part of 'make test'")) struct SwiftBuildTests {
  #if !canImport(Darwin)
    @Test func `an edit is built by SwiftPM's plan, and everything else by SwiftPM`() throws {
      let small = try SmallHouse()
      #expect(!small.isPlanned)
      #expect(try small.build().isEmpty)
      #expect(try small.programContains("answer 1"))

      for text in ["answer 2", "answer 3"] {
        try small.answer(text)
        #expect(small.isPlanned)
        #expect(try small.build().isEmpty)
        #expect(try small.programContains(text))
      }

      // A file more, a file less, another manifest, another plan, another spec: SwiftPM is asked.
      let beside = "Katas/GCDBasics/Beside.swift"
      try small.house.write("let beside = 1\n", to: beside)
      #expect(!small.isPlanned)
      #expect(try small.build().isEmpty)
      #expect(small.isPlanned)
      try FileManager.default.removeItem(at: small.house.url(beside))
      #expect(!small.isPlanned)
      #expect(try small.build().isEmpty)
      for path in [
        "Package.swift", "\(small.plain.scratch)/debug.yaml", "\(small.plain.scratch)/planned.yaml",
        "Tests/GCDBasicsTests/SerialLogTests.swift",
      ] {
        let text = try small.house.text(path)
        try small.house.write(text + " ", to: path)
        #expect(!small.isPlanned, "\(path) was changed.")
        try small.house.write(text, to: path)
        #expect(try small.build().isEmpty)
        #expect(small.isPlanned)
      }

      // What an editor leaves beside a file is no source.
      try small.house.write("", to: "Katas/GCDBasics/.SerialLog.swift.swp")
      try small.house.write("", to: "Katas/GCDBasics/SerialLog.swift~")
      #expect(small.isPlanned)
    }

    @Test func `what the compiler refuses is refused by SwiftPM's plan in the same words`() throws {
      let small = try SmallHouse()
      let wrong = "public func answer() -> String { unknown }\n"
      try small.house.write(wrong, to: small.house.learnerPath(of: small.kata))
      let bySwiftPM = try small.build()
      #expect(bySwiftPM.map(\.message) == ["cannot find 'unknown' in scope"])
      try small.answer("answer 2")
      #expect(try small.build().isEmpty)
      try small.house.write(wrong, to: small.house.learnerPath(of: small.kata))
      #expect(small.isPlanned)
      #expect(try small.build() == bySwiftPM)
    }
  #endif

  @Test func `an answer that looks unchanged is compiled all the same`() throws {
    let small = try SmallHouse()
    let file = small.house.url(small.house.learnerPath(of: small.kata)).path
    try small.build().forEach { Issue.record("\($0.message)") }
    // The same file, as long as before, with the time of before: nothing but the text differs.
    for text in ["answer 2", "answer 3"] {
      var before = stat()
      try #require(stat(file, &before) == 0)
      let old = try small.house.text(small.house.learnerPath(of: small.kata))
      let new = old.replacing(#/answer \d/#, with: text)
      let handle = try FileHandle(forWritingTo: URL(filePath: file))
      try handle.write(contentsOf: Data(new.utf8))
      try handle.close()
      #if canImport(Darwin)
        let times = [before.st_atimespec, before.st_mtimespec]
      #else
        let times = [before.st_atim, before.st_mtim]
      #endif
      try #require(utimensat(AT_FDCWD, file, times, 0) == 0)
      #expect(try small.build().isEmpty)
      #expect(try small.programContains(text))
      #expect(try !small.programContains(old.contains("answer 1") ? "answer 1" : "answer 2"))
    }
  }

  @Test func `the sanitized build is prepared, and a stopped preparation builds nothing`() throws {
    let small = try SmallHouse()
    let judge = Judge(house: small.house, patience: 2)
    let scratch = Judge.sanitizedBuild(of: small.kata).scratch
    let stopped = StopSignal()
    stopped.stop()
    #expect(!judge.prepareSanitizer(for: small.kata, stop: stopped))
    #expect(!small.house.exists("\(scratch)/debug"))

    #expect(judge.prepareSanitizer(for: small.kata, stop: StopSignal()))
    #expect(try small.programContains("answer 1"))
    #expect(try small.programContains("answer 1", in: scratch))
    #expect(try small.programContains("__tsan_init", in: scratch))
  }
}
