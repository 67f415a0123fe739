import Foundation

/// Builds again what SwiftPM has built before: by SwiftPM's plan, without SwiftPM.
///
/// `swift build` asks the compiler what it can, reads the manifest and plans before it compiles
/// anything, and that takes longer than to compile one file and to link. None of it can come out
/// differently while the manifest, the lists of files, the toolchain and the environment are what
/// they were. So the plan is kept with all these, and while they hold, the toolchain's own build
/// engine carries it out. In every doubt the answer is nil, and SwiftPM builds.
struct PlannedBuild {
  /// Under which circumstances a plan holds.
  private struct Circumstances: Codable, Equatable {
    /// SwiftPM's options.
    let options: [String]
    /// All variables that a compiler could see; not the text, since there may be secrets in it.
    let environment: Fingerprint
    /// The manifest, SwiftPM's plan, ours, and the toolchain's programs.
    let files: [String: FileMark?]
    /// The names in the learner's folders; what is in these files may change.
    let names: [String: [String]]
    /// The files in all other folders that are compiled.
    let sources: [String: FileMark?]
  }

  /// What is kept of a plan beside its text.
  private struct Record: Codable {
    let compiler: String
    let folders: [String]
    let circumstances: Circumstances
  }

  let house: House
  let request: SwiftBuild.Request

  private var room: String { house.url(request.room).path }
  private var scratch: String { house.url(request.scratch).path }
  private var plan: String { "\(scratch)/planned.yaml" }
  private var frontend: String { "\(scratch)/planned-frontend" }
  private var record: URL { URL(filePath: "\(scratch)/planned.json") }

  /// What builds the specs.
  struct Command {
    let executable: String
    let arguments: [String]
    let environment: [String: String]
  }

  /// The command that builds the specs; nil where SwiftPM must be asked.
  func command() -> Command? {
    guard Self.isOffered, let data = try? Data(contentsOf: record),
      let kept = try? JSONDecoder().decode(Record.self, from: data),
      kept.circumstances == circumstances(kept.folders, kept.compiler)
    else { return nil }
    return Command(
      executable: Self.engine(beside: kept.compiler),
      arguments: ["-f", plan, "--db", "\(scratch)/planned.db", "specs"],
      environment: request.environment.merging(["SWIFT_DRIVER_SWIFT_FRONTEND_EXEC": frontend]) {
        $1
      })
  }

  /// Keeps the plan by which SwiftPM has just built.
  ///
  /// Where it can't be kept, SwiftPM builds the next time too.
  func keep() {
    forget()
    guard Self.isOffered,
      let text = try? String(contentsOfFile: "\(scratch)/debug.yaml", encoding: .utf8),
      let new = BuildPlan(text, room: room)
    else { return }
    let manifest = new.manifest(linkingBy: linking(new))
    // The same text stays the same file, and the engine knows what it has done by it.
    if (try? String(contentsOfFile: plan, encoding: .utf8)) != manifest {
      try? Data(manifest.utf8).write(to: URL(filePath: plan), options: .atomic)
    }
    keepFrontend(beside: new.compiler)
    let kept = Record(
      compiler: new.compiler, folders: new.folders,
      circumstances: circumstances(new.folders, new.compiler))
    try? JSONEncoder().encode(kept).write(to: record, options: .atomic)
  }

  /// Lets SwiftPM build the next time.
  func forget() {
    try? FileManager.default.removeItem(at: record)
  }

  /// Keeps what the compiler's driver calls as compiler: the compiler, but for the modules of specs.
  ///
  /// Nothing imports these, and to emit one takes longer, the more specs there are, than to compile
  /// the spec that is in question. An option would be seen as another way to compile, and everything
  /// be compiled again. SwiftPM emits them the next time that it builds.
  private func keepFrontend(beside compiler: String) {
    let folder = URL(filePath: compiler).deletingLastPathComponent().path
    let quoted = folder.replacingOccurrences(of: "'", with: "'\\''")
    let modules = Module.allCases.map { "*' -emit-module '*' -module-name \($0.rawValue)Tests '*" }
    let script = """
      #!/bin/sh
      case " $* " in
        \(modules.joined(separator: " | "))) exit 0 ;;
      esac
      exec '\(quoted)/swift-frontend' "$@"

      """
    guard (try? String(contentsOfFile: frontend, encoding: .utf8)) != script else { return }
    try? Data(script.utf8).write(to: URL(filePath: frontend), options: .atomic)
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: frontend)
  }

  /// What the compiler's driver calls to link, as a line for a shell; it says so in a shell's words.
  ///
  /// Called directly, that takes half the time. Nil where it's other than is known here.
  private func linking(_ plan: BuildPlan) -> String? {
    let driver = ChildProcess(
      plan.linking[0], plan.linking.dropFirst() + ["-driver-print-jobs"], in: house.root,
      outputCap: 1024 * 1024)
    guard (try? driver.start()) != nil, driver.waitForEnd() == .exited(0) else { return nil }
    let jobs = driver.output.split(separator: "\n")
    // One collects the names of libraries from the objects, and one links. A shell takes no more
    // than 128 KiB in one argument.
    guard jobs.count == 2, jobs[0].contains("/swift-autolink-extract "),
      jobs.allSatisfy({ $0.hasPrefix("/") }), driver.output.utf8.count < 120_000
    else { return nil }
    return "\(jobs[0]) && exec \(jobs[1])"
  }

  // MARK: - Circumstances

  private func circumstances(_ folders: [String], _ compiler: String) -> Circumstances {
    let swift = Toolchain.find("swift") ?? ""
    var files = [
      house.url("Package.swift").path, house.url("Package.resolved").path,
      "\(scratch)/debug.yaml", plan, frontend, swift, compiler, Self.engine(beside: compiler),
    ]
    // A chooser of toolchains stands in for `swift`; these say what it chooses.
    if URL(filePath: swift).deletingLastPathComponent().resolvingSymlinksInPath()
      != URL(filePath: compiler).deletingLastPathComponent().resolvingSymlinksInPath()
    {
      files += choices()
    }
    var names: [String: [String]] = [:]
    var sources: [String: FileMark?] = [:]
    for folder in folders {
      let found = Self.files(in: folder)
      if folder.hasPrefix(room + "/") {
        names[folder] = found
      } else {
        for file in found { sources[file] = FileMark("\(folder)/\(file)") }
      }
    }
    return Circumstances(
      options: request.options, environment: environment(),
      files: Dictionary(files.map { ($0, FileMark($0)) }) { first, _ in first }, names: names,
      sources: sources)
  }

  /// The files from which `swiftly` takes its choice.
  private func choices() -> [String] {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? ""
    let settings = environment["SWIFTLY_HOME_DIR"] ?? "\(home)/.local/share/swiftly"
    var files = ["\(settings)/config.json"]
    var folder = house.root
    while folder.path != "/" {
      files.append(folder.appending(path: ".swift-version").path)
      folder = folder.deletingLastPathComponent().standardizedFileURL
    }
    return files
  }

  /// Variables that say where somebody sits, and nothing to a compiler.
  private static let immaterial: Set = [
    "_", "PWD", "OLDPWD", "SHLVL", "COLUMNS", "LINES", "TERM", "COLORTERM", "TERM_PROGRAM",
    "TERM_SESSION_ID", "WINDOWID", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKE_TERMOUT",
    "MAKE_TERMERR", "KATA_PATIENCE", "KATA_RUN", "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY",
    "SSH_AUTH_SOCK",
  ]

  private func environment() -> Fingerprint {
    let variables = ProcessInfo.processInfo.environment.merging(request.environment) { $1 }
      .filter { !Self.immaterial.contains($0.key) }
    return Fingerprint(of: variables.map { "\($0)=\($1)" }.sorted().joined(separator: "\n"))
  }

  /// The files below a folder, but for hidden ones and what editors leave beside a file.
  private static func files(in folder: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return all.filter { file in
      let isHidden = file.split(separator: "/").contains { $0.hasPrefix(".") }
      return !isHidden && !file.hasSuffix("~") && !file.hasSuffix("#")
    }.sorted()
  }

  private static func engine(beside compiler: String) -> String {
    URL(filePath: compiler).deletingLastPathComponent().appending(path: "swift-build-tool").path
  }
}
