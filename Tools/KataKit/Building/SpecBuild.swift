import Foundation

/// Builds programs of specs, with SwiftPM.
package struct SpecBuild: Sendable {
  let repository: Repository
  package let toolchain: Toolchain

  package init(repository: Repository) throws {
    self.repository = repository
    toolchain = try Toolchain(for: repository)
  }

  /// What compiles the answers.
  package var answers: AnswerBuild {
    AnswerBuild(repository: repository, toolchain: toolchain)
  }

  /// The folder of everything that this builds.
  static let folder = ".build/specs"

  // MARK: - A program

  /// What a program of specs is built from.
  struct Request {
    let package: SpecPackage
    let sanitized: Bool
    /// The folder of the interface that the specs are compiled against.
    let interface: String
    /// What answers call at their points; nil if they have none.
    let hooks: String?
    /// Whether the build runs at low priority.
    var isAtLowPriority = false
  }

  /// Builds specs against an interface, and puts the program into `folder`.
  ///
  /// Builds with the same `name` share what they can, so the caller must hold that name's lock.
  /// Blocks until it's built or `stop` is set.
  func program(
    _ request: Request, as name: String, into folder: String, stop: CancellationFlag
  ) throws -> BuildOutcome<SpecProgram> {
    let name = request.sanitized ? "\(name)-tsan" : name
    let buildSystem = toolchain.buildSystem
    let discovery = Toolchain.testDiscovery(buildSystem)
    var options = [
      "--package-path",
      try request.package.write(as: name, entryPoint: discovery.entryPoint).path,
      "--scratch-path",
      repository.url("\(Self.folder)/\(name)-\(buildSystem.rawValue)").path,
      "--build-system", buildSystem.rawValue, "-Xswiftc", "-diagnostic-style=llvm",
    ]
    // A runner's builds are never debugged; only Thread Sanitizer's reports need line tables.
    options += request.sanitized ? ["--sanitize=thread"] : ["-debug-info-format", "none"]
    options += discovery.options
    var build = Command(
      toolchain.swift, ["build", "--build-tests"] + options, environment: SpecPackage.environment)
    build.isAtLowPriority = request.isAtLowPriority
    return try build.outcome(in: repository, stop: stop).then {
      let place = Command(
        toolchain.swift, ["build", "--show-bin-path"] + options,
        environment: SpecPackage.environment)
      let products = try place.run(in: repository.root).output.split(separator: "\n").last ?? ""
      return .built(try taken(from: String(products), into: folder, request))
    }
  }

  /// Moves what a build has made into a folder of its own.
  private func taken(
    from products: String, into folder: String, _ request: Request
  ) throws -> SpecProgram {
    let module = request.package.module
    let names = toolchain.products(of: module, toolchain.buildSystem)
    let target = repository.url(folder)
    do {
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      for name in names {
        try FileManager.default.copyItem(
          at: URL(filePath: "\(products)/\(name)"), to: target.appending(path: name))
      }
    } catch {
      throw KataError.cannotWrite(folder, error)
    }
    if Toolchain.needsHost {
      try toolchain.makeHost(
        from: repository.url(Toolchain.hostSource), sanitized: request.sanitized, in: target)
    }
    guard let mark = FileStamp(target.appending(path: names[0])) else {
      throw KataError.building("There is no '\(folder)/\(names[0])'.")
    }
    return SpecProgram(
      module: module, sanitized: request.sanitized, folder: folder, program: names[0],
      interface: request.interface, hooks: request.hooks, toolchain: toolchain.identity, mark: mark)
  }

  /// Calls `body` while holding the lock of this name, which excludes other processes as well.
  func locked<Result>(
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

  // MARK: - Points

  /// Whether answers get points: schedules are explored, and Thread Sanitizer's own functions
  /// aren't called instead.
  func wantsPoints(sanitized: Bool) throws -> Bool {
    try !sanitized && SpecRunner.secondsToExplore() > 0
  }

  /// Compiles the hooks that answers call at their points into a folder; nil if answers get no
  /// points, or if there is no compiler for the hooks.
  package func hooks(sanitized: Bool, in folder: URL) throws -> URL? {
    try wantsPoints(sanitized: sanitized) ? toolchain.makeHooks(for: repository, in: folder) : nil
  }
}

// MARK: - Programs for one answer

extension SpecBuild {
  /// The program whose specs are compiled with an answer that has an interface of its own, in
  /// `folder`, or the compiler's errors.
  ///
  /// Other answers are judged by the `usual` program. Blocks until it's built or `stop` is set.
  func program(
    of answer: AnswerSource, library: URL, insteadOf usual: SpecProgram, in folder: URL,
    stop: CancellationFlag
  ) throws -> BuildOutcome<SpecProgram> {
    let module = answer.kata.module
    let interface = folder.appending(path: "interface").path
    let neighbours = Catalogue.katas(of: module).filter {
      $0.name != answer.kata.name && repository.exists(usual.stubSource(of: $0))
    }
    func specs(_ files: [String]) throws -> BuildOutcome<SpecProgram> {
      let package = SpecPackage(
        repository, module, files: files, answers: .library(interface: interface))
      return try program(
        Request(
          package: package, sanitized: usual.sanitized, interface: interface, hooks: usual.hooks),
        as: "own", into: folder.appending(path: "specs").path, stop: stop)
    }
    return try locked("own", stop) {
      if stop.isStopped { return .stopped }
      return try answers.makeInterface(
        of: answer, library: library,
        besides: neighbours.map { repository.url(usual.stubSource(of: $0)) },
        references: usual.references, in: interface, stop: stop
      ).then {
        // One spec takes a fraction of the time; if it fails, the build of the whole module's specs
        // decides.
        let alone = try specs(repository.specFiles(of: answer.kata))
        if case .refused = alone { return try specs(repository.specFiles(of: module)) }
        return alone
      }
    }
  }

  /// The program that runs a kata's spec against an app's code, whose library and modules are in
  /// `interface`, or the compiler's errors.
  ///
  /// The code needs no public interface and no Swift 6 mode. Reports name its sources, `files`. If
  /// it has points, it calls `hooks` there. The spec is compiled from the files in `specs`, a
  /// folder of the clone. Blocks until the program is built, into `folder`, or `stop` is set.
  package func runner(
    for kata: Kata, from specs: String, against interface: String, of files: [URL],
    hooks: String?, sanitized: Bool, into folder: String, stop: CancellationFlag
  ) throws -> BuildOutcome<SpecRunner> {
    let copies = try repository.files(below: specs).map { String($0.dropFirst(specs.count + 1)) }
    let package = SpecPackage(
      repository, kata.module, files: copies, copiedTo: specs,
      answers: .app(interface: repository.url(interface).path))
    return try locked("own", stop) {
      try program(
        Request(package: package, sanitized: sanitized, interface: interface, hooks: hooks),
        as: "own", into: folder, stop: stop
      ).then { program in
        .built(
          SpecRunner(
            launcher: SpecLauncher(
              repository: repository, toolchain: toolchain,
              way: .program(program, library: repository.url(interface))), files: files))
      }
    }
  }
}
