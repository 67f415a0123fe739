import Foundation

/// An answer that was compiled into a library, for the program of specs to load.
struct AnswerLibrary: Sendable {
  /// The folder that holds the library and nothing else.
  let folder: URL
  /// Whether its public interface is the stub's, word by word.
  ///
  /// If not, only the compiler can tell whether the specs can use the answer.
  let hasStubsInterface: Bool
}

/// Compiles answers, and the interface that specs are built against, with the compiler's driver.
package struct AnswerBuild: Sendable {
  package let repository: Repository
  package let toolchain: Toolchain

  /// The name of the module that a kata's answer belongs to.
  package static func name(of module: Module) -> String { "\(module.rawValue)Katas" }

  private static var featureOptions: [String] {
    SpecPackage.features.flatMap { ["-enable-upcoming-feature", $0] }
  }

  /// The options that compile an answer as SwiftPM does, with library evolution.
  private func options(_ module: Module, sanitized: Bool, hasPoints: Bool = false) -> [String] {
    Toolchain.targetOptions + [
      "-module-name", Self.name(of: module), "-package-name", "ConcurrencyKatas",
      "-enable-library-evolution", "-parse-as-library", "-wmo", "-Onone", "-swift-version", "6",
      "-D", "DEBUG", "-D", "SWIFT_PACKAGE", "-suppress-warnings", "-diagnostic-style=llvm",
    ] + Self.featureOptions + (sanitized ? ["-sanitize=thread", "-g"] : [])
      + (hasPoints ? Toolchain.pointOptions : [])
  }

  /// Calls the compiler's driver, and returns its errors; blocks until it's done or `stop` is set.
  package func compiler(
    _ arguments: [String], isAtLowPriority: Bool = false, stop: CancellationFlag
  ) throws -> BuildOutcome<Void> {
    var command = Command(toolchain.swift + "c", arguments)
    command.isAtLowPriority = isAtLowPriority
    return try command.outcome(in: repository, stop: stop)
  }

  // MARK: - An answer

  /// Compiles an answer into a library in `folder`, together with its neighbours' stubs.
  ///
  /// Blocks until it's done or `stop` is set. An answer is compiled by itself first. If that fails,
  /// it's compiled with the other sources of its folder, unless `isAlone`, and then the compiler's
  /// errors count.
  func library(
    of answer: AnswerSource, for program: SpecProgram, in folder: URL, isAlone: Bool = false,
    stop: CancellationFlag = CancellationFlag()
  ) throws -> BuildOutcome<AnswerLibrary> {
    let libraries = folder.appending(path: "library")
    try makeFolder(libraries.path)
    let name = Toolchain.libraryName(Self.name(of: answer.kata.module))
    let files = AnswerRecipe.Files(
      source: answer.file.path, object: folder.appending(path: "answer.o").path,
      interface: folder.appending(path: "answer.swiftinterface").path,
      library: libraries.appending(path: name).path)
    if try !compileAlone(answer, files, program, stop) {
      if stop.isStopped { return .stopped }
      if isAlone {
        return .refused([
          CompilerMessage(
            file: files.source, line: 1, column: 1, message: "it doesn't compile", excerpt: [])
        ])
      }
      switch try compileWithNeighbours(answer, files, program, stop) {
      case .built: break
      case .refused(let messages): return .refused(messages)
      case .stopped: return .stopped
      }
    }
    let stub = try repository.text(program.stubInterface(of: answer.kata))
    let own = try repository.text(files.interface)
    return .built(
      AnswerLibrary(
        folder: libraries,
        hasStubsInterface: PublicInterface(own).isCompatible(with: PublicInterface(stub))))
  }

  /// Compiles only the answer's own file, without the driver; returns whether that is enough.
  private func compileAlone(
    _ answer: AnswerSource, _ files: AnswerRecipe.Files, _ program: SpecProgram,
    _ stop: CancellationFlag
  ) throws -> Bool {
    guard let recipe = program.recipe else { return false }
    let stub = repository.url(program.stubObject(of: answer.kata)).path
    return try recipe.commands(for: files, without: stub).allSatisfy { command in
      try command.run(in: repository.root, stop: stop).ending == .exited(0)
    }
  }

  private func compileWithNeighbours(
    _ answer: AnswerSource, _ files: AnswerRecipe.Files, _ program: SpecProgram,
    _ stop: CancellationFlag
  ) throws -> BuildOutcome<Void> {
    let module = answer.kata.module
    let neighbours = Catalogue.katas(of: module).filter {
      $0.name != answer.kata.name && repository.exists(program.stubSource(of: $0))
    }
    let sources = answer.files
    let hooks = program.hooks.map { repository.url($0).path }
    return try compiler(
      options(module, sanitized: program.sanitized, hasPoints: hooks != nil)
        + toolchain.linkingOptions(for: Self.name(of: module)) + [
          "-I", repository.url(program.references).path, "-emit-library",
          "-emit-module-interface-path", files.interface, "-no-verify-emitted-module-interface",
          "-o", files.library,
        ] + [hooks].compactMap { $0 } + sources.map(\.path)
        + neighbours.map { repository.url(program.stubSource(of: $0)).path },
      stop: stop)
  }

  /// The driver's commands to compile an answer and link it with these objects; nil if unknown.
  ///
  /// If there are `hooks`, the answer calls them at its points.
  func recipe(
    of module: Module, besides objects: [String], hooks: String?, references: String,
    sanitized: Bool, in folder: String
  ) throws -> AnswerRecipe? {
    let path = repository.url(folder).path
    let files = AnswerRecipe.Files(
      source: "\(path)/answer.swift", object: "\(path)/answer.o",
      interface: "\(path)/answer.swiftinterface", library: "\(path)/library")
    try repository.write("", to: "\(folder)/answer.swift")
    let compiling =
      options(module, sanitized: sanitized, hasPoints: hooks != nil) + [
        "-I", repository.url(references).path,
      ]
      + ["-emit-module-interface-path", files.interface].flatMap { ["-Xfrontend", $0] }
      + ["-c", files.source, "-o", files.object]
    let linking =
      Toolchain.targetOptions + toolchain.linkingOptions(for: Self.name(of: module))
      + (sanitized ? ["-sanitize=thread"] : []) + ["-emit-library", files.object] + objects
      + [hooks].compactMap { $0 }
      + ["-o", files.library]
    let jobs = try [compiling, linking].map { arguments in
      try Command(toolchain.swift + "c", arguments + ["-driver-print-jobs"]).run(
        in: repository.root)
    }
    guard jobs.allSatisfy({ $0.ending == .exited(0) }) else { return nil }
    return AnswerRecipe(of: files, jobs: jobs.map(\.output))
  }

  // MARK: - The interface

  /// Builds what specs of a module are compiled and linked with: the module and the library of
  /// these sources, and the modules that they import.
  func makeInterface(
    of module: Module, _ sources: [URL], in folder: String, isAtLowPriority: Bool,
    stop: CancellationFlag
  ) throws -> BuildOutcome<Void> {
    let outcome = try makeReferences(
      of: module, in: folder, isAtLowPriority: isAtLowPriority, stop: stop)
    guard case .built = outcome else { return outcome }
    let references = repository.url("\(folder)/references").path
    let name = Self.name(of: module)
    let path = repository.url(folder).path
    return try compiler(
      options(module, sanitized: false) + toolchain.linkingOptions(for: Self.name(of: module))
        + [
          "-I", references, "-emit-library", "-o", "\(path)/\(Toolchain.libraryName(name))",
          "-emit-module-path", "\(path)/\(name).swiftmodule",
        ] + sources.map(\.path), isAtLowPriority: isAtLowPriority, stop: stop)
  }

  /// Builds the modules of references that katas of a module import, in `folder/references`.
  package func makeReferences(
    of module: Module, in folder: String, isAtLowPriority: Bool = false, stop: CancellationFlag
  ) throws -> BuildOutcome<Void> {
    let references = repository.url("\(folder)/references").path
    try makeFolder(references)
    for name in module.imports where repository.exists("Modules/\(name)") {
      let files = try repository.swiftFiles(in: "Modules/\(name)")
      let outcome = try compiler(
        [
          "-emit-module", "-module-name", name, "-parse-as-library", "-swift-version", "6",
          "-suppress-warnings", "-diagnostic-style=llvm", "-I", references,
          "-emit-module-path", "\(references)/\(name).swiftmodule",
        ] + Self.featureOptions + Toolchain.targetOptions + files.map { repository.url($0).path },
        isAtLowPriority: isAtLowPriority,
        stop: stop)
      guard case .built = outcome else { return outcome }
    }
    return .built(())
  }

  /// Builds the module of an answer and of its neighbours' stubs, which specs are compiled with,
  /// and puts the answer's library beside it.
  func makeInterface(
    of answer: AnswerSource, library: URL, besides neighbours: [URL],
    references: String, in folder: String, stop: CancellationFlag
  ) throws -> BuildOutcome<Void> {
    let module = answer.kata.module
    let path = repository.url(folder).path
    try makeFolder(path)
    let name = Self.name(of: module)
    let file = Toolchain.libraryName(name)
    do {
      try FileManager.default.copyItem(
        at: library.appending(path: file), to: repository.url("\(folder)/\(file)"))
    } catch {
      throw KataError.cannotWrite("\(folder)/\(file)", error)
    }
    return try compiler(
      options(module, sanitized: false) + [
        "-I", repository.url(references).path, "-emit-module", "-emit-module-path",
        "\(path)/\(name).swiftmodule",
        "-Xfrontend", "-experimental-skip-non-inlinable-function-bodies",
      ] + (answer.files + neighbours).map(\.path), stop: stop)
  }

  /// Whether the interface has been built: the library is written last.
  func hasInterface(of module: Module, in folder: String) -> Bool {
    repository.exists("\(folder)/\(Toolchain.libraryName(Self.name(of: module)))")
  }

  /// Compiles each stub by itself, for answers that are judged together with it.
  ///
  /// Puts an object and an interface of each into `folder`; they import modules in `references`.
  func compileStubs(
    _ sources: [(kata: Kata, file: URL)], references: String, sanitized: Bool, in folder: String,
    isAtLowPriority: Bool, stop: CancellationFlag
  ) throws -> BuildOutcome<Void> {
    try makeFolder(repository.url(folder).path)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let outcomes = try BoundedParallelMap(sources, width: cores) { kata, file in
      try compiler(
        options(kata.module, sanitized: sanitized) + [
          "-I", repository.url(references).path, "-c", file.path,
          "-o", repository.url("\(folder)/\(kata.name).o").path, "-emit-module-interface-path",
          repository.url("\(folder)/\(kata.name).swiftinterface").path,
          "-no-verify-emitted-module-interface",
        ], isAtLowPriority: isAtLowPriority, stop: stop)
    }.outputs()
    return outcomes.first { if case .built = $0 { false } else { true } } ?? .built(())
  }

  private func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw KataError.cannotWrite(path, error)
    }
  }
}
