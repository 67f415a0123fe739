import Foundation

extension Commands {
  /// Looks whether this machine has what the katas need.
  public func doctor() throws -> ExitCode {
    let checks = [swiftCheck(), folderCheck(), diskCheck(), sanitizerCheck()]
    for check in checks {
      print("\(check.holds ? style.good("✔") : style.bad("✘")) \(check.sentence)\n")
    }
    for (tool, use) in [("swift-format", "make lint"), ("docc", "make docs")]
    where Toolchain.find(tool) == nil {
      print("· \(tool) isn't on the PATH; only '\(use)' needs it.\n")
    }
    return checks.allSatisfy(\.holds) ? .done : .environment
  }

  private struct Check {
    let holds: Bool
    let sentence: String
  }

  private func swiftCheck() -> Check {
    guard let swift = Toolchain.find("swift") else {
      return Check(
        holds: false,
        sentence:
          "There is no 'swift' on the PATH; install Swift 6.2 or newer from swift.org/install.")
    }
    let output = output(of: swift, ["--version"]).text
    guard let match = output.firstMatch(of: #/Swift version (\d+)\.(\d+)[^\s]*/#),
      let major = Int(match.1), let minor = Int(match.2)
    else {
      return Check(holds: false, sentence: "'swift --version' doesn't say its version.")
    }
    let isNew = (major, minor) >= (6, 2)
    return Check(
      holds: isNew,
      sentence: isNew ? "\(match.0)" : "\(match.0) is too old; install Swift 6.2 or newer.")
  }

  private func folderCheck() -> Check {
    let probe = ".build/doctor"
    let canWrite = (try? house.write("", to: probe)) != nil
    try? FileManager.default.removeItem(at: house.url(probe))
    return Check(
      holds: canWrite,
      sentence: canWrite
        ? "This folder can be written."
        : "\(house.root.path) can't be written; check that it's yours and not read-only.")
  }

  private func diskCheck() -> Check {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: house.root.path)
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
    guard let compiler = Toolchain.find("swiftc"),
      output(of: compiler, ["-sanitize=thread", source, "-o", program]).ending == .exited(0)
    else {
      return Check(
        holds: false, sentence: "Programs can't be built with Thread Sanitizer by this toolchain.")
    }
    let runs = output(of: program, []).ending == .exited(0)
    return Check(
      holds: runs,
      sentence: runs
        ? "Thread Sanitizer runs."
        : "Thread Sanitizer doesn't run here; data races won't be looked for.")
  }

  private func output(of tool: String, _ arguments: [String]) -> (
    text: String, ending: ChildProcess.Ending?
  ) {
    let process = ChildProcess(tool, arguments, in: house.root)
    guard (try? process.start()) != nil else { return ("", nil) }
    let ending = process.waitForEnd()
    return (process.output, ending)
  }
}
