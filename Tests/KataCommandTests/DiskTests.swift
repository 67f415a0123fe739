import Foundation
import KataTesting
import Testing

@testable import KataKit

extension SharedCloneTests {
  /// The built command on disks that take nothing.
  @Suite(
    .enabled(if: TemporaryMount.isAllowed, "only root on Linux may mount the disks for this"))
  struct DiskTests {
    private static let diskFull = "kata: \(KataError.diskFull)\n"

    private let kata: Kata
    private let otherKata: Kata

    init() throws {
      kata = try Catalogue.kata(named: "SerialLog")
      otherKata = try Catalogue.kata(named: "BackgroundWork")
    }

    /// The reference, which passes wherever there is room.
    private func prepare(_ clone: Clone) throws {
      try clone.markDone(kata)
      try clone.markDone(otherKata)
      let reference = try clone.repository.text(clone.repository.referencePath(of: kata))
      try clone.repository.write(reference, to: clone.repository.learnerPath(of: kata))
    }

    private func expectFull(_ output: Clone.Output, in clone: Clone) throws {
      #expect(output.code == 3)
      #expect(output.standardError == Self.diskFull)
      let (progress, warning) = ProgressFile(repository: clone.repository).read()
      #expect(warning == nil)
      #expect(progress.isDone(kata) && progress.isDone(otherKata))
    }

    @Test(arguments: [1, 48])
    func `a disk that is full while it's built on is told`(megabytes: Int) throws {
      let clone = try Clone()
      try prepare(clone)
      let folder = clone.repository.url(".build")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let disk = try TemporaryMount(megabytes: megabytes, over: folder)
      defer { disk.remove() }
      try expectFull(clone.kata("run", kata.name), in: clone)
      try clone.expectNothingLeft()
    }

    @Test func `a disk that is full while a spec runs is told, and accuses nobody`() throws {
      let clone = try Clone.shared()
      try prepare(clone)
      // With room for what SwiftPM puts there; the answer takes the rest.
      let folder = clone.sandbox.appending(path: "small")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let disk = try TemporaryMount(megabytes: 32, over: folder)
      defer { disk.remove() }
      let path = clone.repository.learnerPath(of: kata)
      let answer = try clone.repository.text(path)
        .replacing("import Dispatch", with: "import Dispatch\nimport Foundation")
        .replacing(
          "queue.async {",
          with: """
            let disk = "\\(FileManager.default.temporaryDirectory.path)/ballast"
                // Once: who filled it anew would make room first, and perhaps be ended just then.
                if !FileManager.default.fileExists(atPath: disk),
                  FileManager.default.createFile(atPath: disk, contents: nil),
                  let ballast = FileHandle(forWritingAtPath: disk)
                {
                  while (try? ballast.write(contentsOf: Data(count: 4096))) != nil {}
                  while (try? ballast.write(contentsOf: Data(count: 1))) != nil {}
                }
                queue.async {
            """)
      try clone.repository.write(answer, to: path)
      try expectFull(clone.start(["run", kata.name], temporary: folder).output(), in: clone)
      let ballast = folder.appending(path: "ballast").path
      #expect(FileManager.default.fileExists(atPath: ballast), "The spec hasn't run.")
      try clone.expectNothingLeft()
    }

    @Test func `progress that finds no room stays as it was`() throws {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "katas-disk-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let disk = try TemporaryMount(megabytes: 64, over: folder)
      defer { disk.remove() }
      let clone = try Clone(in: folder)
      try prepare(clone)
      let before = try clone.repository.text(ProgressFile.path)
      try disk.fill()
      try expectFull(clone.kata("hint", kata.name), in: clone)
      #expect(try clone.repository.text(ProgressFile.path) == before)
    }

    @Test func `a read-only clone can be looked at, and says so where that isn't enough`() throws {
      let clone = try Clone()
      try prepare(clone)
      let disk = try TemporaryMount(readOnly: clone.root)
      defer { disk.remove() }
      #expect(try clone.kata("list").code == 0)
      for command in ["run", "hint", "reset", "verify"] {
        let output = try clone.kata(command, kata.name)
        #expect(output.code == 3, "\(command)")
        #expect(output.standardError.contains("can't be written"), "\(command)")
        #expect(output.standardError.split(separator: "\n").count == 1, "\(command)")
      }
      #expect(ProgressFile(repository: clone.repository).read().progress.isDone(kata))
      try clone.expectNothingLeft()
    }
  }
}
