import Foundation

/// Isolates a run of another person's answer, if the system can.
///
/// The run sees the system's programs, Swift's libraries, its own program and its own library, and
/// can change none of them. It may write into a temporary folder of limited size. It has no network
/// but a loopback interface of its own, no processes but its own, and no privileges.
///
/// It uses bubblewrap, which is for Linux. Source: bwrap(1).
package struct Isolation: Sendable {
  /// How much it may write, in bytes; this is in memory.
  private static let bytesToWrite = 256 << 20
  /// The parts of the system that programs need; none contains a user's files.
  private static let system = [
    "/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/localtime",
    "/sys/devices/system/cpu",
  ]
  /// The program's process number in its name space; the first process is bubblewrap's.
  static let process = 2
  /// How many processes precede the program in the process tree of the machine.
  static let processesBefore = 2

  private let bubblewrap: String
  private let options: [String]

  /// Whether this machine supports it, according to ``init(in:)``.
  static func isHere(for repository: Repository) -> Bool { (try? Self(in: repository)) != nil }

  /// Creates isolation with this machine's means.
  ///
  /// Throws an explanation if it has none.
  package init(in repository: Repository) throws {
    guard let bubblewrap = Toolchain.find("bwrap") else {
      throw KataError(
        """
        --isolate needs bubblewrap, which is for Linux, and there is no 'bwrap' on the PATH; install it \
        ('apt-get install bubblewrap'), or leave --isolate out and grade in a container.
        """, .environment)
    }
    let visible = try Self.system + Toolchain(for: repository).runtimeFolders()
    let bound = "\(Self.bytesToWrite)"
    self.bubblewrap = bubblewrap
    options =
      ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
      + visible.flatMap { ["--ro-bind-try", $0, $0] }
      + ["--proc", "/proc", "--dev", "/dev", "--size", bound, "--tmpfs", "/dev/shm"]
    let trial = try Command(bubblewrap, options + ["/bin/true"]).run(in: URL(filePath: "/"))
    guard trial.ending == .exited(0) else {
      let said = trial.output.split(separator: "\n").last.map { " It said: \($0)." } ?? ""
      throw KataError(
        """
        bubblewrap doesn't work on this machine; leave --isolate out and grade in a container.\(said)
        """, .environment)
    }
  }

  /// The command inside the isolation.
  ///
  /// It sees the folders `reading`. Its working directory is an empty one in place of `directory`,
  /// with the given folders in it.
  func isolated(
    _ command: Command, reading: [URL], directory: URL, with folders: [String]
  ) -> Command {
    var words = options + reading.flatMap { ["--ro-bind", $0.path, $0.path] }
    words += ["--size", "\(Self.bytesToWrite)", "--tmpfs", directory.path]
    words += folders.flatMap { ["--dir", $0] }
    words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", directory.path, "--"]
    return Command(
      bubblewrap, words + [command.executable] + command.arguments,
      environment: command.environment)
  }

  /// How the program ended, from how bubblewrap did, which doesn't die by the program's signal
  /// itself.
  static func ending(_ ending: ChildProcess.Ending) -> ChildProcess.Ending {
    guard case .exited(let code) = ending, (129...192).contains(code) else { return ending }
    return .killed(signal: code - 128)
  }
}
