import Foundation

extension Commands {
  /// Looks whether this machine has what the katas need.
  package func doctor() throws -> ExitCode {
    let checks = [
      swiftCheck(), makeCheck(), obstacleCheck(), folderCheck(), diskCheck(), sanitizerCheck(),
    ].compactMap(\.self)
    for check in checks {
      print("\(check.holds ? style.good("✔") : style.bad("✘")) \(check.sentence)\n")
    }
    for (tool, use) in [("swift-format", "make lint"), ("docc", "make docs")]
    where Toolchain.located(tool) == nil {
      print("· \(tool) isn't found; only '\(use)' needs it.\n")
    }
    return checks.allSatisfy(\.holds) ? .done : .environment
  }

  private struct Check {
    let holds: Bool
    let sentence: String
  }

  private func swiftCheck() -> Check {
    let toolchain: Toolchain
    do {
      toolchain = try Toolchain(for: repository)
    } catch {
      return Check(holds: false, sentence: "\(error)")
    }
    guard let version = Toolchain.version(of: toolchain.swift) else {
      return Check(holds: false, sentence: "'swift --version' doesn't say its version.")
    }
    let name = "Swift \(version.major).\(version.minor)"
    guard version >= Toolchain.oldest else {
      return Check(
        holds: false,
        sentence:
          "\(name) is too old; install Swift 6.3 or newer, on a Mac with Xcode 26.4 or newer.")
    }
    let isTried = version <= Toolchain.newestTried
    return Check(
      holds: true,
      sentence: """
        \(name); specs are built with '--build-system \(toolchain.buildSystem.rawValue)'.\
        \(isTried ? "" : " It's newer than any that this was tried with.")
        """)
  }

  /// The Makefile is written for GNU Make as macOS has it.
  private func makeCheck() -> Check? {
    guard let make = Toolchain.find("make"),
      let answer = try? Command(make, ["--version"]).run(in: repository.root)
    else { return Check(holds: false, sentence: "There is no 'make' on the PATH; install it.") }
    guard let match = answer.output.firstMatch(of: #/GNU Make (\d+)\.(\d+)/#),
      let major = Int(match.1), let minor = Int(match.2), (major, minor) >= (3, 81)
    else {
      return Check(holds: false, sentence: "'\(make)' isn't GNU Make 3.81 or newer; install that.")
    }
    return nil
  }

  private func obstacleCheck() -> Check? {
    Toolchain.obstacle.map { Check(holds: false, sentence: $0) }
  }

  private func folderCheck() -> Check {
    let probe = ".build/doctor"
    let canWrite = (try? repository.write("", to: probe)) != nil
    try? FileManager.default.removeItem(at: repository.url(probe))
    return Check(
      holds: canWrite,
      sentence: canWrite
        ? "This folder can be written."
        : "\(repository.root.path) can't be written; check that it's yours and not read-only.")
  }

  private func diskCheck() -> Check {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: repository.root.path)
    let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    let megabytes = free / 1_048_576
    return Check(
      holds: megabytes >= 1024,
      sentence: megabytes >= 1024
        ? "\(megabytes) MB of disk are free."
        : "Only \(megabytes) MB of disk are free; the builds need up to 1 GB.")
  }

  /// Builds and runs a tiny program with Thread Sanitizer.
  private func sanitizerCheck() -> Check {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "katas-doctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appending(path: "main.swift").path
    let program = folder.appending(path: "main").path
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data("print(1)\n".utf8).write(to: URL(filePath: source))
    func succeeds(_ tool: String, _ arguments: [String]) -> Bool {
      (try? Command(tool, arguments).run(in: repository.root))?.ending == .exited(0)
    }
    guard let compiler = Toolchain.find("swiftc"),
      succeeds(compiler, ["-sanitize=thread", source, "-o", program])
    else {
      return Check(
        holds: false, sentence: "Programs can't be built with Thread Sanitizer by this toolchain.")
    }
    let runs = succeeds(program, [])
    return Check(
      holds: runs,
      sentence: runs
        ? "Thread Sanitizer runs."
        : "Thread Sanitizer doesn't run here; data races won't be looked for.")
  }
}
