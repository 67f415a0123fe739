import Foundation
import Testing

@testable import KataKit

extension OwnBuildTests {
  /// The built command on disks that take nothing.
  @Suite(
    .enabled(if: TemporaryMount.isAllowed, "only root on Linux may mount the disks for this"))
  struct DiskTests {
    private let kata: Kata

    init() throws {
      kata = try Catalogue.kata(named: "SerialLog")
    }

    @Test(arguments: [1, 48])
    func `a disk that is full while it's built on is reported`(megabytes: Int) throws {
      let clone = try Clone(judged: [kata.name])
      try clone.prepareForFullDisk()
      let folder = clone.repository.url(".build")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let disk = try TemporaryMount(megabytes: megabytes, over: folder)
      defer { disk.remove() }
      try clone.expectFullDisk(told: clone.kata("run", kata.name))
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
      try clone.prepareForFullDisk()
      let before = try clone.repository.text(ProgressFile.path)
      try disk.fill()
      try clone.expectFullDisk(told: clone.kata("hint", kata.name))
      #expect(try clone.repository.text(ProgressFile.path) == before)
    }

    @Test func `a read-only clone can be looked at, and says so where that isn't enough`() throws {
      let clone = try Clone()
      try clone.prepareForFullDisk()
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

extension SharedCloneTests {
  /// The built command on a disk that a spec fills.
  @Suite(
    .enabled(if: TemporaryMount.isAllowed, "only root on Linux may mount the disks for this"))
  struct FilledDiskTests {
    @Test func `a disk that fills up during a spec is reported, and no answer accused`() throws {
      let clone = try Clone.shared()
      try clone.prepareForFullDisk()
      // With room for what SwiftPM puts there; the answer takes the rest.
      let folder = clone.sandbox.appending(path: "small")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let disk = try TemporaryMount(megabytes: 32, over: folder)
      defer { disk.remove() }
      let path = clone.repository.learnerPath(of: try Catalogue.kata(named: "SerialLog"))
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
      try clone.expectFullDisk(
        told: clone.start(["run", "SerialLog"], temporary: folder).output())
      let ballast = folder.appending(path: "ballast").path
      #expect(FileManager.default.fileExists(atPath: ballast), "The spec hasn't run.")
      try clone.expectNothingLeft()
    }
  }
}

extension Clone {
  /// Answers SerialLog with the reference, which passes wherever there is room, and takes two katas for done.
  fileprivate func prepareForFullDisk() throws {
    for name in ["SerialLog", "BackgroundWork"] { try markDone(Catalogue.kata(named: name)) }
    let kata = try Catalogue.kata(named: "SerialLog")
    try repository.write(
      repository.text(repository.referencePath(of: kata)), to: repository.learnerPath(of: kata))
  }

  /// Expects that a command has told of a full disk, and that the two katas are still done.
  fileprivate func expectFullDisk(told output: Output) throws {
    #expect(output.code == 3)
    #expect(output.standardError == "kata: \(KataError.diskFull)\n")
    let (progress, warning) = ProgressFile(repository: repository).read()
    #expect(warning == nil)
    for name in ["SerialLog", "BackgroundWork"] {
      #expect(try progress.isDone(Catalogue.kata(named: name)))
    }
  }
}
