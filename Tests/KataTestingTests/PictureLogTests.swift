import Foundation
import Testing

@testable import KataTesting

@Suite struct PictureLogTests {
  @Test func `a test that objects to nothing leaves its timelines`() throws {
    let lines = try lines { log in
      log.begin("alpha")
      let (first, second, unused) = (Timeline(), Timeline(), Timeline())
      for timeline in [first, second, unused] { log.add(timeline) }
      second.mark("b", "asks")
      first.visit("a") {}
      log.endWithoutError()
    }
    #expect(
      lines == [
        #"{"events":["+a","-a"],"test":"alpha"}"#, #"{"events":["*b|asks"],"test":"alpha"}"#,
      ])
  }

  @Test func `a test that objects leaves what it shows, and no more`() throws {
    let lines = try lines { log in
      log.begin("alpha")
      let timeline = Timeline()
      log.add(timeline)
      timeline.enter("a")
      log.object("No.", timeline.events)
      timeline.leave("a")
      log.endWithoutError()
    }
    #expect(lines == [#"{"events":["+a"],"says":"No.","test":"alpha"}"#])
  }

  @Test func `of a long record a mistake keeps the latest events and a passing test none`() throws {
    let lines = try lines { log in
      for name in ["alpha", "beta"] {
        log.begin(name)
        let timeline = Timeline()
        log.add(timeline)
        for _ in 0..<16 { timeline.visit("a") {} }
        if name == "beta" { log.object("No.", timeline.events) }
        log.endWithoutError()
      }
    }
    #expect(lines.count == 1 && lines[0].contains("beta"))
    #expect(lines.first?.ranges(of: "+a").count == 12)
  }

  @Test func `what belongs to no test is left out`() throws {
    let lines = try lines { log in
      let timeline = Timeline()
      log.add(timeline)
      timeline.visit("a") {}
      log.object("No.", timeline.events)
      log.endWithoutError()
    }
    #expect(lines.isEmpty)
  }

  @Test func `a missing folder is ignored`() {
    let log = PictureLog(folder: URL(filePath: "/nowhere/at/all"))
    log.begin("alpha")
    log.object("No.", [])
    log.endWithoutError()
  }

  // MARK: - Fixtures

  /// The lines that a log has written.
  private func lines(_ body: (PictureLog) -> Void) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "katas-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    body(PictureLog(folder: folder))
    let text = (try? String(contentsOf: folder.appending(path: "pictures.jsonl"), encoding: .utf8))
    return (text ?? "").split(separator: "\n").map(String.init)
  }
}
