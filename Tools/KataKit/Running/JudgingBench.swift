import Foundation
import Synchronization

/// What came of compiling an answer and running its spec.
package enum Attempt {
  case stopped
  case refused([CompilerMessage])
  /// The run, and what it did to things around it.
  case ran(SpecRun, ProtectedFiles.Changes)
}

/// Where answers are compiled and run: a clone, a toolchain, and how the sources are right now.
package final class JudgingBench: Sendable {
  private struct Key: Hashable {
    let module: Module
    let sanitized: Bool
  }

  package let build: SpecBuild
  private let snapshot: WorkspaceSnapshot
  private let programs = Mutex<[Key: SpecProgram]>([:])

  package init(repository: Repository, _ snapshot: WorkspaceSnapshot) throws {
    build = SpecBuild(repository: repository, toolchain: try Toolchain(for: repository))
    self.snapshot = snapshot
  }

  /// The program of a module's specs, as the sources are; nil where `stop` asked for the end.
  package func program(
    of module: Module, sanitized: Bool, stop: CancellationFlag = CancellationFlag()
  ) throws -> SpecProgram? {
    let key = Key(module: module, sanitized: sanitized)
    if let known = programs.withLock({ $0[key] }) { return known }
    let program = try build.program(of: module, sanitized: sanitized, snapshot, stop: stop)
    programs.withLock { $0[key] = program }
    return program
  }

  /// Compiles an answer, and has it run where that succeeds.
  package func attempt(
    _ answer: StagedAnswer, sanitized: Bool, stop: CancellationFlag = CancellationFlag(),
    run: (BuiltAnswer) throws -> (SpecRun, ProtectedFiles.Changes)
  ) throws -> Attempt {
    let outcome: SpecBuild.Outcome<BuiltAnswer>
    do {
      guard let program = try program(of: answer.kata.module, sanitized: sanitized, stop: stop)
      else { return .stopped }
      outcome = try BuiltAnswer.make(answer, for: program, build, stop: stop)
    } catch {
      try checkDisk()
      throw error
    }
    switch outcome {
    case .stopped: return .stopped
    case .refused(let messages):
      try checkDisk()
      return .refused(messages)
    case .built(let built):
      defer { built.remove() }
      return try ProcessRegistry.withTerminationCleanup({ built.remove() }) {
        let (run, changes) = try run(built)
        return run.wasStopped ? .stopped : .ran(run, changes)
      }
    }
  }

  /// Tells a full disk from whatever a compiler makes of it.
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
