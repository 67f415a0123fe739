import Foundation

/// Builds programs of specs, with SwiftPM.
package struct SpecBuild: Sendable {
  let repository: Repository
  package let toolchain: Toolchain

  package init(repository: Repository) throws {
    self.init(repository: repository, toolchain: try Toolchain(for: repository))
  }

  init(repository: Repository, toolchain: Toolchain) {
    self.repository = repository
    self.toolchain = toolchain
  }

  /// What compiles the answers.
  package var answers: AnswerBuild {
    AnswerBuild(repository: repository, toolchain: toolchain)
  }

  /// Where all that this builds lies.
  static let folder = ".build/specs"

  /// What came of a build.
  package enum Outcome<Product: Sendable>: Sendable {
    case built(Product)
    /// The compiler's messages.
    case refused([CompilerMessage])
    /// The build was stopped.
    case stopped

    /// What comes of the next step, where this one has built something.
    package func then<Next>(
      _ step: (Product) throws -> Outcome<Next>
    ) rethrows -> Outcome<Next> {
      switch self {
      case .built(let product): try step(product)
      case .refused(let messages): .refused(messages)
      case .stopped: .stopped
      }
    }
  }

  /// Whether answers are to have points: where schedules are looked for, and Thread Sanitizer's own functions aren't
  /// called in their place.
  private func wantsPoints(sanitized: Bool) throws -> Bool {
    try !sanitized && SpecRunner.secondsToExplore() > 0
  }

  /// Compiles what answers call at their points into a folder, where they are to have some; nil where they aren't, or
  /// where there is no compiler for it.
  package func hooks(sanitized: Bool, in folder: URL) throws -> URL? {
    try wantsPoints(sanitized: sanitized) ? toolchain.makeHooks(for: repository, in: folder) : nil
  }

  // MARK: - The program that judges most answers

  /// The program of a module's specs, built where there is none that is up to date.
  ///
  /// Blocks until it's there or `stop` asks for the end; nil then. One at a time builds, in this
  /// process and others.
  func program(
    of module: Module, sanitized: Bool, _ snapshot: WorkspaceSnapshot, isUnhurried: Bool = false,
    stop: CancellationFlag = CancellationFlag()
  ) throws -> SpecProgram? {
    let inputs = snapshot.part(for: module)
    let hasPoints = try wantsPoints(sanitized: sanitized)
    if let kept = kept(module, sanitized, hasPoints: hasPoints, inputs) { return kept }
    return try locked(sanitized ? "tsan" : "plain", stop) {
      // Somebody else may have built it meanwhile.
      if let kept = kept(module, sanitized, hasPoints: hasPoints, inputs) { return kept }
      if stop.isStopped { return nil }
      let answers = answers
      let (interface, sources, texts) = try stubs(of: module)
      let path = "\(Self.folder)/\(module.rawValue)\(sanitized ? "-tsan" : "")-\(UUID().uuidString)"
      let steps: [() throws -> Outcome<Void>] = [
        {
          // The plain and the sanitized build share it: the first of them makes it.
          try locked("interface", stop) {
            if stop.isStopped { return .stopped }
            if answers.hasInterface(of: module, in: interface) { return .built(()) }
            for (source, text) in zip(sources, texts) {
              try repository.write(text, to: Self.stubSource(of: source.kata, in: interface))
            }
            return try answers.makeInterface(
              of: module, sources.map(\.file), in: interface, isUnhurried: isUnhurried, stop: stop)
          }
        },
        {
          try answers.compileStubs(
            sources, references: "\(interface)/references", sanitized: sanitized,
            in: "\(path)/stubs", isUnhurried: isUnhurried, stop: stop)
        },
        {
          let package = SpecPackage(
            repository, module, files: try repository.specFiles(of: module),
            answers: .library(interface: repository.url(interface).path))
          return try buildSpecs(
            package, sanitized: sanitized, as: "all", into: path, isUnhurried: isUnhurried,
            stop: stop)
        },
      ]
      var isKept = false
      defer { if !isKept { try? FileManager.default.removeItem(at: repository.url(path)) } }
      for step in steps {
        switch try step() {
        case .stopped: return nil
        case .refused(let messages):
          let first = messages[0]
          throw KataError.building(
            "\(repository.short(first.file)):\(first.line): \(first.message)")
        case .built: break
        }
      }
      let hooks = try hooks(sanitized: sanitized, in: repository.url(path))
      let recipe = try answers.recipe(
        of: module, besides: sources.map { repository.url("\(path)/stubs/\($0.kata.name).o").path },
        hooks: hooks?.path, references: "\(interface)/references", sanitized: sanitized,
        in: "\(path)/recipe")
      let program = try program(
        of: module, sanitized: sanitized, in: path, interface: interface,
        hooks: hooks.map { "\(path)/\($0.lastPathComponent)" }, recipe, inputs)
      try keep(program)
      isKept = true
      return program
    }
  }

  /// The program whose specs are compiled with an answer that has an interface of its own, or what the
  /// compiler says of the two; whoever asks removes it afterwards.
  ///
  /// The module's other answers are judged by the `usual` program.
  func program(
    of answer: StagedAnswer, _ library: AnswerLibrary, insteadOf usual: SpecProgram,
    stop: CancellationFlag = CancellationFlag()
  ) throws -> Outcome<SpecProgram> {
    let module = answer.kata.module
    let answers = answers
    return try locked("own", stop) {
      if stop.isStopped { return .stopped }
      let path = "\(Self.folder)/own-\(UUID().uuidString)"
      let neighbours = Catalogue.katas(of: module).filter {
        $0.name != answer.kata.name && repository.exists(usual.stubSource(of: $0))
      }
      func specs(only files: [String]?) throws -> Outcome<Void> {
        let package = SpecPackage(
          repository, module, files: try files ?? repository.specFiles(of: module),
          answers: .library(interface: repository.url("\(path)/interface").path))
        return try buildSpecs(
          package, sanitized: usual.sanitized, as: "own", into: path, stop: stop)
      }
      let steps: [() throws -> Outcome<Void>] = [
        {
          try answers.makeInterface(
            of: answer, library,
            besides: neighbours.map { repository.url(usual.stubSource(of: $0)) },
            references: usual.references, in: "\(path)/interface", stop: stop)
        },
        {
          // One spec takes a fraction of the time; where it fails, the whole module's have the word.
          if case .built = try specs(only: repository.specFiles(of: answer.kata)) {
            return .built(())
          }
          return try specs(only: nil)
        },
      ]
      var isKept = false
      defer { if !isKept { try? FileManager.default.removeItem(at: repository.url(path)) } }
      for step in steps {
        switch try step() {
        case .stopped: return .stopped
        case .refused(let messages): return .refused(messages)
        case .built: break
        }
      }
      isKept = true
      return .built(
        try program(
          of: module, sanitized: usual.sanitized, in: path, interface: "\(path)/interface",
          hooks: usual.hooks))
    }
  }

  /// What runs the spec of a kata against an app's code, a library and modules that lie in `interface`, or
  /// what the compiler says of the two.
  ///
  /// The code needs no public interface and knows nothing of Swift 6; `files` are its sources, by which
  /// reports know it, and `hooks` what it calls at its points, if it has some. The spec is compiled from copies in `specs`, a folder of the clone, and what else lies
  /// there. Blocks until it is built, into `folder`, or `stop` asks for the end.
  package func runner(
    for kata: Kata, from specs: String, against interface: String, of files: [URL],
    hooks: String?, sanitized: Bool, into folder: String, stop: CancellationFlag
  ) throws -> Outcome<SpecRunner> {
    try locked("own", stop) {
      let package = SpecPackage(
        repository, kata.module,
        files: try repository.files(below: specs).map {
          String($0.dropFirst(specs.count + 1))
        }, copiedTo: specs, answers: .app(interface: repository.url(interface).path))
      return try buildSpecs(
        package, sanitized: sanitized, as: "own", into: folder, stop: stop
      ).then {
        .built(
          SpecRunner(
            repository: repository, toolchain: toolchain,
            start: .program(
              try program(
                of: kata.module, sanitized: sanitized, in: folder, interface: interface,
                hooks: hooks),
              library: repository.url(interface)), files: files))
      }
    }
  }

  /// The stubs of a module, where they are compiled from under the names of their katas, and their texts.
  ///
  /// The folder is named after what is in it: whoever is built against another is built anew.
  private func stubs(
    of module: Module
  ) throws -> (interface: String, sources: [(kata: Kata, file: URL)], texts: [String]) {
    let katas = Catalogue.katas(of: module).filter {
      repository.exists(repository.stubPath(of: $0))
    }
    let texts = try katas.map { try repository.text(repository.stubPath(of: $0)) }
    let references = try module.imports.filter { repository.exists("Modules/\($0)") }
      .flatMap { try repository.swiftFiles(in: "Modules/\($0)") }.map { try repository.text($0) }
    let hash = ContentHash(of: texts + references + [toolchain.identity])
    let interface = "\(Self.folder)/interface/\(module.rawValue)-\(hash.text)"
    return (
      interface, katas.map { ($0, repository.url(Self.stubSource(of: $0, in: interface))) }, texts
    )
  }

  static func stubSource(of kata: Kata, in interface: String) -> String {
    "\(interface)/stubs/\(kata.name).swift"
  }

  private func locked<Result>(
    _ name: String, _ stop: CancellationFlag, _ body: () throws -> Result
  ) throws -> Result {
    do {
      try FileManager.default.createDirectory(
        at: repository.url(Self.folder), withIntermediateDirectories: true)
    } catch {
      throw KataError.cannotWrite(Self.folder, error)
    }
    guard FileManager.default.isWritableFile(atPath: repository.url(Self.folder).path) else {
      throw KataError.cannotWrite(Self.folder)
    }
    return try FileLock.whileHolding(
      repository.url("\(Self.folder)/\(name).lock").path, stop: stop, body)
  }

  // MARK: - Building

  /// Builds specs against an interface, and puts the program into `folder`.
  private func buildSpecs(
    _ package: SpecPackage, sanitized: Bool, as name: String, into folder: String,
    isUnhurried: Bool = false, stop: CancellationFlag
  ) throws -> Outcome<Void> {
    let name = sanitized ? "\(name)-tsan" : name
    let buildSystem = toolchain.buildSystem
    var options = [
      "--package-path", try package.write(as: name).path, "--scratch-path",
      repository.url("\(Self.folder)/\(name)-\(buildSystem.rawValue)").path,
      "--build-system", buildSystem.rawValue, "-Xswiftc", "-diagnostic-style=llvm",
    ]
    // Nobody debugs what a runner builds; Thread Sanitizer's reports name lines by it.
    options += sanitized ? ["--sanitize=thread"] : ["-debug-info-format", "none"]
    // The index of the system's modules is a third of a first build, and of no use to anybody.
    options += ["-index-ignore-system-modules", "-index-ignore-clang-modules"]
      .flatMap { ["-Xswiftc", $0] }
    var build = Command(
      toolchain.swift, ["build", "--build-tests"] + options,
      environment: SpecPackage.environment)
    build.isUnhurried = isUnhurried
    let outcome = try build.outcome(in: repository, stop: stop)
    guard case .built = outcome else { return outcome }
    let place = Command(
      toolchain.swift, ["build", "--show-bin-path"] + options,
      environment: SpecPackage.environment)
    let products = try place.run(in: repository.root).output.split(separator: "\n").last ?? ""
    let target = repository.url(folder)
    do {
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      for name in toolchain.products(of: package.module, buildSystem) {
        try FileManager.default.copyItem(
          at: URL(filePath: "\(products)/\(name)"), to: target.appending(path: name))
      }
    } catch {
      throw KataError.cannotWrite(folder, error)
    }
    if Toolchain.needsHost {
      try toolchain.makeHost(
        from: repository.url(Toolchain.hostSource), sanitized: sanitized, in: target)
    }
    return .built(())
  }

  private func program(
    of module: Module, sanitized: Bool, in folder: String, interface: String,
    hooks: String? = nil, _ recipe: AnswerRecipe? = nil, _ inputs: [String: FileStamp] = [:]
  ) throws -> SpecProgram {
    let name = toolchain.products(of: module, toolchain.buildSystem)[0]
    guard let mark = FileStamp(repository.url("\(folder)/\(name)").path) else {
      throw KataError.building("There is no '\(folder)/\(name)'.")
    }
    return SpecProgram(
      module: module, sanitized: sanitized, folder: folder, program: name, interface: interface,
      hooks: hooks, recipe: recipe, inputs: inputs, toolchain: toolchain.identity, mark: mark)
  }
}

extension Command {
  /// Builds something in a clone, and says what the compiler refuses; blocks until it's done or `stop` asks for
  /// the end.
  func outcome(
    in repository: Repository, stop: CancellationFlag
  ) throws -> SpecBuild.Outcome<Void> {
    let (ending, log) = try run(in: repository.root, stop: stop)
    if stop.isStopped { return .stopped }
    if ending == .exited(0) { return .built(()) }
    let messages = CompilerMessage.errors(in: log)
    if messages.isEmpty { throw KataError.building(log, below: repository) }
    return .refused(messages)
  }
}
