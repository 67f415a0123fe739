import Foundation
import Synchronization

/// Where answers are compiled: a clone, a toolchain, and a snapshot of the sources.
package final class JudgingBench: Sendable {
  private struct Key: Hashable {
    let module: Module
    let kata: String?
    let sanitized: Bool
  }

  package let build: SpecBuild
  private let snapshot: WorkspaceSnapshot
  /// Whether it judges a single answer, whose spec alone is enough.
  private let isForOne: Bool
  private let programs = Mutex<[Key: SpecProgram]>([:])

  package init(
    repository: Repository, _ snapshot: WorkspaceSnapshot, isForOne: Bool = false
  ) throws {
    build = try SpecBuild(repository: repository)
    self.snapshot = snapshot
    self.isForOne = isForOne
  }

  /// The program that judges answers to a kata, built from the sources in the snapshot; nil if
  /// `stop` was set.
  ///
  /// Blocks while it's built.
  package func program(
    for kata: Kata, sanitized: Bool, stop: CancellationFlag = CancellationFlag()
  ) throws -> SpecProgram? {
    let one = isForOne ? kata : nil
    let key = Key(module: kata.module, kata: one?.name, sanitized: sanitized)
    if let known = programs.withLock({ $0[key] }) { return known }
    let program = try build.program(
      of: kata.module, for: one, sanitized: sanitized, snapshot, stop: stop)
    programs.withLock { $0[key] = program }
    return program
  }

  /// Compiles an answer; products for it alone are put into `folder`.
  ///
  /// Blocks until it's done or `stop` is set. With `isAlone`, an answer that doesn't compile by
  /// itself is refused, for any reason; otherwise it's compiled with the stubs of its neighbours as
  /// well.
  package func compile(
    _ answer: AnswerSource, sanitized: Bool, in folder: URL, isAlone: Bool = false,
    stop: CancellationFlag = CancellationFlag()
  ) throws -> BuildOutcome<CompiledAnswer> {
    let outcome: BuildOutcome<CompiledAnswer>
    do {
      guard let program = try program(for: answer.kata, sanitized: sanitized, stop: stop) else {
        return .stopped
      }
      let folder = folder.appending(path: sanitized ? "tsan" : "plain")
      outcome = try build.answers.library(
        of: answer, for: program, in: folder, isAlone: isAlone, stop: stop
      ).then { library in
        let answer = CompiledAnswer(
          answer, library: library.folder, for: program, build, in: folder)
        return library.hasStubsInterface ? .built(answer) : try answer.makeOwnProgram(stop: stop)
      }
    } catch {
      try checkDisk()
      throw error
    }
    if case .refused = outcome { try checkDisk() }
    return outcome
  }

  /// Throws if the disk is full, since the compiler's own message would mislead.
  private func checkDisk() throws {
    let repository = build.repository
    let folder = [SpecBuild.folder, ".build", "."].first(where: repository.exists) ?? "."
    if DiskSpace.isShort(of: DiskSpace.neededByBuild, in: repository.url(folder))
      || DiskSpace.isShort(
        of: DiskSpace.neededByRun, in: FileManager.default.temporaryDirectory)
    {
      throw KataError.diskFull
    }
  }
}
