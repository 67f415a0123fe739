import Foundation

extension Commands {
  /// Checks whether this machine has what the katas need.
  package func doctor() throws -> ExitCode {
    var holds = true
    func show(_ check: Check) {
      let mark =
        switch check.kind {
        case .holds: style.good("✔")
        case .fails: style.bad("✘")
        case .remark: "·"
        }
      print("\(mark) \(check.sentence)\n")
      if check.kind == .fails { holds = false }
    }
    [swiftCheck(), makeCheck(), obstacleCheck(), folderCheck(), diskCheck()].compactMap(\.self)
      .forEach(show)
    ((try? Toolchain(for: repository).origins) ?? []).forEach { show(Check(.remark, $0)) }
    for (tool, use) in [("swift-format", "make lint"), ("docc", "make docs")]
    where Toolchain.located(tool) == nil {
      show(Check(.remark, "\(tool) isn't found; only '\(use)' needs it."))
    }
    // Verdicts can be tried only if everything else is there.
    if holds { wayChecks(show) }
    if holds { print("Ready: make kata\n") }
    return holds ? .done : .environment
  }

  private struct Check {
    enum Kind {
      case holds, fails
      /// Good to know, but no reason to fail.
      case remark
    }

    let kind: Kind
    let sentence: String

    init(_ kind: Kind, _ sentence: String) {
      self.kind = kind
      self.sentence = sentence
    }
  }

  /// Tries the ways to a verdict, as verdicts use them.
  private func wayChecks(_ show: (Check) -> Void) {
    guard let kata = Catalogue.katas.first else { return }
    let trial = WayTrial(repository: repository, kata: kata)
    print(
      style.dim("Trying a test of \(kata.name) in each way; the first time takes a few minutes …\n")
    )
    let fast = trial.obstacle(.fast)
    if fast == nil {
      FastWayRefusal.forget(kata.module, in: repository)
      show(Check(.holds, "The fast way to verdicts works."))
    }
    let plain = trial.obstacle(.plain)
    if let fast {
      show(
        Check(
          plain == nil ? .remark : .fails,
          """
          The fast way to verdicts is refused: \(fast) \
          \(plain == nil ? "'swift test' will do, and takes longer; please report it as an issue." : "")
          """))
    }
    if let plain {
      show(Check(.remark, "KATA_WAY=plain, by 'swift test', doesn't work: \(plain)"))
    } else {
      show(Check(.holds, "The plain way to verdicts, by 'swift test' (KATA_WAY=plain), works."))
    }
    guard fast == nil else { return }
    if let reason = trial.obstacle(.fast, sanitized: true) {
      show(
        Check(
          .fails,
          """
          Thread Sanitizer doesn't run with the specs, so a pass will be 'passed, races not looked for': \
          \(reason)
          """))
    } else {
      show(Check(.holds, "Thread Sanitizer runs with the specs."))
    }
  }

  private func swiftCheck() -> Check {
    let toolchain: Toolchain
    do {
      toolchain = try Toolchain(for: repository)
    } catch {
      return Check(.fails, "\(error)")
    }
    guard let version = Toolchain.version(of: toolchain.swift) else {
      return Check(.fails, "'swift --version' doesn't say its version.")
    }
    let name = "Swift \(version.major).\(version.minor)"
    guard version >= Toolchain.oldest else {
      return Check(
        .fails,
        "\(name) is too old; install Swift 6.3 or newer, on a Mac with Xcode 26.4 or newer.")
    }
    let isTried = version <= Toolchain.newestTried
    return Check(
      .holds,
      """
      \(name); specs are built with '--build-system \(toolchain.buildSystem.rawValue)'.\
      \(isTried ? "" : " It's newer than any that this was tried with.")
      """)
  }

  /// Checks for GNU Make: the Makefile is written for the version that macOS has.
  private func makeCheck() -> Check? {
    guard let make = Toolchain.find("make"),
      let answer = try? Command(make, ["--version"]).run(in: repository.root)
    else { return Check(.fails, "There is no 'make' on the PATH; install it.") }
    guard let match = answer.output.firstMatch(of: #/GNU Make (\d+)\.(\d+)/#),
      let major = Int(match.1), let minor = Int(match.2), (major, minor) >= (3, 81)
    else {
      return Check(.fails, "'\(make)' isn't GNU Make 3.81 or newer; install that.")
    }
    return nil
  }

  private func obstacleCheck() -> Check? {
    Toolchain.obstacle.map { Check(.fails, $0) }
  }

  private func folderCheck() -> Check {
    let probe = ".build/doctor"
    let canWrite = (try? repository.write("", to: probe)) != nil
    try? FileManager.default.removeItem(at: repository.url(probe))
    return Check(
      canWrite ? .holds : .fails,
      canWrite
        ? "This folder is writable."
        : "\(repository.root.path) isn't writable; check that it's yours and not read-only.")
  }

  private func diskCheck() -> Check {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: repository.root.path)
    let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    let megabytes = free / 1_048_576
    return Check(
      megabytes >= 1024 ? .holds : .fails,
      megabytes >= 1024
        ? "\(megabytes) MB of disk are free."
        : "Only \(megabytes) MB of disk are free; the builds need up to 1 GB.")
  }
}
