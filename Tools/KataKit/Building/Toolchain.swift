import Foundation

/// The interface to the Swift toolchain: how programs are found, called and laid out.
///
/// Nothing else knows the options of `swift build`, where it puts its products, or the compiler's
/// options. Both of SwiftPM's build systems work.
package struct Toolchain: Sendable {
  /// SwiftPM's two build systems; each lays out its products in its own way.
  enum BuildSystem: String, CaseIterable, Codable, Sendable {
    /// SwiftPM's own, the default until Swift 6.3.
    case native
    /// Swift Build, the default from Swift 6.4 on.
    case swiftBuild = "swiftbuild"
  }

  /// The path of `swift`, as a shell would find it.
  let swift: String
  /// The build system that `KATA_BUILD_SYSTEM` names, if any.
  private let chosen: BuildSystem?
  /// The files that identify the toolchain at that path.
  private let choices: [String]

  /// The toolchain on the PATH, as it's selected in `repository`.
  init(for repository: Repository) throws {
    let environment = ProcessInfo.processInfo.environment
    guard let swift = Self.find("swift") else { throw KataError.noToolchain }
    self.swift = swift
    if let name = environment["KATA_BUILD_SYSTEM"], !name.isEmpty {
      guard let system = BuildSystem(rawValue: name) else {
        throw KataError(
          "KATA_BUILD_SYSTEM is '\(name)'; give 'native' or 'swiftbuild', or leave it unset.",
          .usage)
      }
      chosen = system
    } else {
      chosen = nil
    }
    // swiftly and Xcode put a proxy in the place of `swift`.
    let home = environment["HOME"] ?? ""
    let settings = environment["SWIFTLY_HOME_DIR"] ?? "\(home)/.local/share/swiftly"
    var choices = [swift, "\(settings)/config.json", "/var/db/xcode_select_link"]
    var folder = repository.root
    while folder.path != "/" {
      choices.append(folder.appending(path: ".swift-version").path)
      folder = folder.deletingLastPathComponent().standardizedFileURL
    }
    self.choices = choices
  }

  /// The build system to use: the one that was chosen, or the version's own.
  var buildSystem: BuildSystem {
    chosen ?? Self.defaultBuildSystem(ofVersion: Self.version(of: swift))
  }

  /// Options for `swift build` and `swift test` that select the chosen build system, if there is
  /// one.
  var buildSystemOptions: [String] { chosen.map { ["--build-system", $0.rawValue] } ?? [] }

  /// Distinguishes this toolchain from others, and from itself after an update.
  package var identity: String {
    let marks = choices.map { FileStamp($0).map { "\($0)" } ?? "" }
    // Xcode's proxies use these variables.
    let named = ["DEVELOPER_DIR", "TOOLCHAINS", "SDKROOT"].map {
      ProcessInfo.processInfo.environment[$0] ?? ""
    }
    return
      ([URL(filePath: swift).resolvingSymlinksInPath().path, chosen?.rawValue ?? ""] + named + marks)
      .joined(separator: " ")
  }

  /// How tests are found if SwiftPM finds them by an index.
  ///
  /// An index of the system's modules would be a third of a first build, and isn't needed.
  static let indexedDiscovery: (entryPoint: String?, options: [String]) = (
    nil,
    ["-index-ignore-system-modules", "-index-ignore-clang-modules"].flatMap { ["-Xswiftc", $0] }
  )

  /// The folders of the toolchain that programs need at run time.
  func runtimeFolders() throws -> [String] {
    struct Target: Decodable {
      struct Paths: Decodable { let runtimeResourcePath: String }
      let paths: Paths
    }
    let answer = try Command(swift, ["-print-target-info"]).run(in: URL(filePath: "/"))
    guard let target = try? JSONDecoder().decode(Target.self, from: Data(answer.output.utf8)) else {
      throw KataError(
        "'\(swift) -print-target-info' doesn't say where Swift's libraries are; try 'make doctor'.",
        .environment)
    }
    let named = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""
    return [target.paths.runtimeResourcePath] + named.split(separator: ":").map(String.init)
  }

  /// The version that `swift --version` prints, in numbers: (6, 3); nil if there is none.
  static func version(of swift: String) -> (major: Int, minor: Int)? {
    let answer = try? Command(swift, ["--version"]).run(in: URL(filePath: "/"))
    return answer.flatMap { version(in: $0.output) }
  }

  static func version(in text: String) -> (major: Int, minor: Int)? {
    guard let match = text.firstMatch(of: #/Swift version (\d+)\.(\d+)/#),
      let major = Int(match.1), let minor = Int(match.2)
    else { return nil }
    return (major, minor)
  }

  /// The oldest version that builds this project, and the newest that it was tested with.
  static let oldest = (major: 6, minor: 3)
  static let newestTried = (major: 6, minor: 3)

  /// The default build system of SwiftPM in a version.
  static func defaultBuildSystem(ofVersion version: (major: Int, minor: Int)?) -> BuildSystem {
    version.map { $0 >= (6, 4) } ?? false ? .swiftBuild : .native
  }

  /// The path of a program, found as a shell would find it.
  package static func find(_ tool: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(tool)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// One call of a toolchain program.
struct Command: Sendable {
  let executable: String
  let arguments: [String]
  var environment: [String: String] = [:]
  /// Whether it runs at low priority.
  var isAtLowPriority = false

  init(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }

  /// The command as the operand of another one, which these words begin.
  func launched(by words: [String]) -> Command {
    guard let first = words.first else { return self }
    return Command(
      first, words.dropFirst() + [executable] + arguments, environment: environment)
  }

  /// The result of a call: how the program ended, and what it printed.
  typealias Result = (ending: ChildProcess.Ending, output: String)

  /// Calls the program, and blocks until it has ended or `stop` is set.
  ///
  /// If it crashes, it's called once more: `swift build` crashes now and then on Linux, with Swift
  /// Build (https://github.com/swiftlang/swift/issues/87033).
  func run(in folder: URL, stop: CancellationFlag = CancellationFlag()) throws -> Result {
    let first = try runOnce(in: folder, stop: stop)
    guard case .killed = first.ending, !stop.isStopped else { return first }
    return try runOnce(in: folder, stop: stop)
  }

  private func runOnce(in folder: URL, stop: CancellationFlag) throws -> Result {
    var words = [executable] + arguments
    if isAtLowPriority, let nice = Toolchain.find("nice") { words = [nice, "-n", "19"] + words }
    let process = ChildProcess(
      words[0], Array(words.dropFirst()), environment: environment, in: folder,
      outputCap: 1024 * 1024, mayLeaveOthers: false)
    do {
      try process.start()
    } catch {
      throw KataError("'\(executable)' can't be started; try 'make doctor'.", .environment)
    }
    return (process.waitForEnd(stop: stop), process.output)
  }
}
