import Foundation

// MARK: - The program that judges most answers

extension SpecBuild {
  /// The program of a module's specs, or if `kata` is given, of that kata's spec alone, which takes
  /// less time; built unless there is one that is up to date.
  ///
  /// With the second kata of a module all of its specs are built, so that a learner waits at most
  /// twice for a module. Blocks until the program is built, or returns nil once `stop` is set. Only
  /// one build runs at a time, in this process and all others.
  func program(
    of module: Module, for kata: Kata?, sanitized: Bool, _ snapshot: WorkspaceSnapshot,
    isAtLowPriority: Bool = false, stop: CancellationFlag = CancellationFlag()
  ) throws -> SpecProgram? {
    let inputs = snapshot.part(for: module)
    let hasPoints = try wantsPoints(sanitized: sanitized)
    func upToDate() -> SpecProgram? {
      let records =
        [record(module, nil, sanitized)] + (kata.map { [record(module, $0, sanitized)] } ?? [])
      return records.lazy.compactMap { kept($0, hasPoints: hasPoints, inputs) }.first
    }
    if let program = upToDate() { return program }
    return try locked(sanitized ? "tsan" : "plain", stop) {
      // Another process may have built it meanwhile.
      if let program = upToDate() { return program }
      if stop.isStopped { return nil }
      let kata = kata.flatMap { hasProgramOfAnother(than: $0, sanitized) ? nil : $0 }
      let path = "\(Self.folder)/\(module.rawValue)\(sanitized ? "-tsan" : "")-\(UUID().uuidString)"
      var isKept = false
      defer { if !isKept { try? FileManager.default.removeItem(at: repository.url(path)) } }
      switch try build(
        module, kata, sanitized: sanitized, in: path, isAtLowPriority: isAtLowPriority, stop: stop)
      {
      case .stopped: return nil
      case .refused(let messages):
        let first = messages[0]
        throw KataError.building("\(repository.short(first.file)):\(first.line): \(first.message)")
      case .built(var program):
        program.inputs = inputs
        try keep(program, as: record(module, kata, sanitized))
        isKept = true
        return program
      }
    }
  }

  /// Builds the common interface of all stubs unless it exists, each stub by itself, and the specs.
  private func build(
    _ module: Module, _ kata: Kata?, sanitized: Bool, in path: String, isAtLowPriority: Bool,
    stop: CancellationFlag
  ) throws -> BuildOutcome<SpecProgram> {
    let answers = answers
    let (interface, stubs) = try stubs(of: module)
    // The plain and the sanitized build share it: the first of them builds it.
    return try locked("interface", stop) { () throws -> BuildOutcome<Void> in
      if stop.isStopped { return .stopped }
      if answers.hasInterface(of: module, in: interface) { return .built(()) }
      for stub in stubs {
        try repository.write(stub.text, to: Self.stubSource(of: stub.kata, in: interface))
      }
      return try answers.makeInterface(
        of: module, stubs.map(\.file), in: interface, isAtLowPriority: isAtLowPriority, stop: stop)
    }.then {
      try answers.compileStubs(
        stubs.map { ($0.kata, $0.file) }, references: "\(interface)/references",
        sanitized: sanitized, in: "\(path)/stubs", isAtLowPriority: isAtLowPriority, stop: stop)
    }.then {
      let hooks = try hooks(sanitized: sanitized, in: repository.url(path))?.path
      let files =
        try kata.map { try repository.specFiles(of: $0) } ?? repository.specFiles(of: module)
      let package = SpecPackage(
        repository, module, files: files,
        answers: .library(interface: repository.url(interface).path))
      return try program(
        Request(
          package: package, sanitized: sanitized, interface: interface, hooks: hooks,
          isAtLowPriority: isAtLowPriority), as: "all", into: path, stop: stop)
    }.then { program in
      var program = program
      program.recipe = try answers.recipe(
        of: module, besides: stubs.map { repository.url("\(path)/stubs/\($0.kata.name).o").path },
        hooks: program.hooks, references: "\(interface)/references", sanitized: sanitized,
        in: "\(path)/recipe")
      return .built(program)
    }
  }

  // MARK: - The stubs

  private struct Stub {
    let kata: Kata
    /// The file that it's compiled from, named after its kata.
    let file: URL
    let text: String
  }

  /// The stubs of a module, and the folder of their interface.
  ///
  /// The folder's name is a hash of its contents: everything that was built against another one is
  /// built again.
  private func stubs(of module: Module) throws -> (interface: String, stubs: [Stub]) {
    let katas = Catalogue.katas(of: module).filter {
      repository.exists(repository.stubPath(of: $0))
    }
    let texts = try katas.map { try repository.text(repository.stubPath(of: $0)) }
    let references = try module.imports.filter { repository.exists("Modules/\($0)") }
      .flatMap { try repository.swiftFiles(in: "Modules/\($0)") }.map { try repository.text($0) }
    let hash = ContentHash(of: texts + references + [toolchain.identity])
    let interface = "\(Self.folder)/interface/\(module.rawValue)-\(hash.text)"
    return (
      interface,
      zip(katas, texts).map {
        Stub(kata: $0, file: repository.url(Self.stubSource(of: $0, in: interface)), text: $1)
      }
    )
  }

  static func stubSource(of kata: Kata, in interface: String) -> String {
    "\(interface)/stubs/\(kata.name).swift"
  }

  // MARK: - What is kept

  /// The file that describes a program, of a module's specs or of one kata's, relative to the root.
  private func record(_ module: Module, _ kata: Kata?, _ sanitized: Bool) -> String {
    let name = [module.rawValue, kata?.name, sanitized ? "tsan" : nil].compactMap { $0 }
    return "\(Self.folder)/\(name.joined(separator: "-")).json"
  }

  /// Whether the specs of another kata of the same module were built alone.
  private func hasProgramOfAnother(than kata: Kata, _ sanitized: Bool) -> Bool {
    Catalogue.katas(of: kata.module).contains {
      $0.name != kata.name && repository.exists(record(kata.module, $0, sanitized))
    }
  }

  /// The program that was built before, if neither it nor its sources have changed since.
  ///
  /// Answers have points only if they are wanted and the hooks that they call can be compiled.
  private func kept(
    _ record: String, hasPoints: Bool, _ inputs: [String: FileStamp]
  ) -> SpecProgram? {
    guard let kept = program(recordedIn: record),
      kept.toolchain == toolchain.identity, kept.inputs == inputs,
      kept.hooks != nil || !hasPoints || Toolchain.located("clang") == nil,
      kept.hooks == nil || hasPoints,
      FileStamp(repository.url("\(kept.folder)/\(kept.program)")) == kept.mark
    else { return nil }
    return kept
  }

  private func program(recordedIn record: String) -> SpecProgram? {
    (try? Data(contentsOf: repository.url(record)))
      .flatMap { try? JSONDecoder().decode(SpecProgram.self, from: $0) }
  }

  /// Records a program, and removes the one that it replaces.
  private func keep(_ program: SpecProgram, as record: String) throws {
    let before = self.program(recordedIn: record)
    try repository.write(try JSONEncoder().encode(program), to: record)
    guard let before else { return }
    try? FileManager.default.removeItem(at: repository.url(before.folder))
    guard before.interface != program.interface else { return }
    try? FileManager.default.removeItem(at: repository.url(before.interface))
  }
}
