import Foundation
import KataTesting
import Testing

@testable import KataKit

@Suite struct ProgressTests {
  @Test func `progress comes back as it was written`() throws {
    try Fixtures.withEmptyRepository { repository in
      let file = ProgressFile(repository: repository)
      try file.update { $0.record(Verdict(Fixtures.kata, .passed)) }
      try file.update { $0.recordHint(2, of: Fixtures.kata) }
      let (progress, warning) = file.read()
      #expect(warning == nil)
      #expect(progress.isDone(Fixtures.kata))
      #expect(progress.hintsShown(for: Fixtures.kata) == 2)
    }
  }

  @Test func `what is done stays done, though its answer no longer passes`() throws {
    try Fixtures.withEmptyRepository { repository in
      let file = ProgressFile(repository: repository)
      try file.update { $0.record(Verdict(Fixtures.kata, .passed)) }
      try file.update { $0.record(Verdict(Fixtures.kata, .failed)) }
      #expect(file.read().progress.isDone(Fixtures.kata))
    }
    let failed = Verdict(Fixtures.kata, .failed)
    let text = VerdictText(repository: Fixtures.repository, style: TextStyle(hasColours: false))
    #expect(
      text.summary(failed, Fixtures.kata, doneSince: "2026-01-31")
        .contains("\nIt was done on 2026-01-31, and stays done. Continue in"))
    #expect(!text.summary(failed, Fixtures.kata).contains("stays done"))
  }

  @Test func `the kata worked on last comes next, unless it's done`() throws {
    var progress = Progress()
    let katas = Catalogue.katas
    #expect(progress.next?.name == katas[0].name)
    let start = Date(timeIntervalSince1970: 0)
    progress.record(Verdict(katas[7], .failed), on: start)
    progress.record(Verdict(katas[3], .hung), on: start + 60)
    progress.record(Verdict(katas[9], .notStarted), on: start + 120)
    progress.record(Verdict(katas[5], .failed), on: start + 120, isWorkedOn: false)
    #expect(progress.next?.name == katas[3].name)
    let data = try JSONEncoder().encode(progress)
    #expect(try JSONDecoder().decode(Progress.self, from: data) == progress)
    var other = Progress()
    other.record(Verdict(katas[8], .failed), on: start + 90)
    #expect(progress.merging(other).next?.name == katas[8].name)
    #expect(other.merging(progress).next?.name == katas[8].name)
    progress.record(Verdict(katas[3], .passed), on: start + 180)
    #expect(progress.next?.name == katas[0].name)
    progress.record(Verdict(katas[3], .failed), on: start + 240)
    #expect(progress.next?.name == katas[0].name)
    progress.record(Verdict(katas[2], .failed), on: start + 300)
    progress.forget(katas[2])
    #expect(progress.next?.name == katas[0].name)
  }

  @Test(arguments: [
    "{\"done\": {\"Pho", "", "[]", "{\"version\": 99, \"done\": {}, \"hints\": {}}",
  ])
  func `a file that makes no sense is set aside and said`(text: String) throws {
    try Fixtures.withEmptyRepository { repository in
      try repository.write(text, to: ProgressFile.path)
      let file = ProgressFile(repository: repository)
      let (progress, warning) = file.read()
      #expect(progress == Progress())
      #expect(warning?.contains("set aside as \(ProgressFile.path).1") == true)
      #expect(try repository.text("\(ProgressFile.path).1") == text)
      #expect(file.read().warning == nil)
    }
  }

  @Test func `a kata that is gone does no harm`() throws {
    try Fixtures.withEmptyRepository { repository in
      let text = "{\"version\": 1, \"done\": {\"Gone\": \"2026-01-01\"}, \"hints\": {\"Gone\": 3}}"
      try repository.write(text, to: ProgressFile.path)
      let (progress, warning) = ProgressFile(repository: repository).read()
      #expect(warning == nil)
      #expect(progress.next?.name == Catalogue.katas.first?.name)
    }
  }
}

extension Progress {
  fileprivate func merging(_ other: Progress) -> Progress {
    var both = self
    both.merge(other)
    return both
  }
}
