import Foundation

/// Keeps a run of somebody else's answer to itself, where the system can.
///
/// It sees the system's programs, Swift's libraries, its own program and its own library, all of which it can't
/// change; it may write into a folder of its own, which is gone with it and holds no more than a bound; it has no
/// network but a loopback interface of its own, no process but its own, and no privileges.
///
/// By bubblewrap, which is for Linux. Source: bwrap(1).
package struct Isolation: Sendable {
  /// How much it may write, in bytes; it's memory of the machine.
  private static let bytesToWrite = 256 << 20
  /// What programs need of the system; no file of a person's is below it.
  private static let system = [
    "/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/localtime",
    "/sys/devices/system/cpu",
  ]
  /// The process of the program in a name space of its own; the first one is bubblewrap's.
  static let process = 2
  /// How many processes come before the program, as the machine sees them.
  static let processesBefore = 2

  private let bubblewrap: String
  private let options: [String]

  /// Whether this machine has it, as ``init(in:)`` finds.
  static func isHere(for repository: Repository) -> Bool { (try? Self(in: repository)) != nil }

  /// Isolation by what this machine has.
  ///
  /// Throws a sentence where it has none.
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
        bubblewrap can't isolate on this machine; leave --isolate out and grade in a container.\(said)
        """, .environment)
    }
  }

  /// The command, with the folders `reading` as they are, and as its working directory an empty one in the place
  /// of `directory`, with these folders in it.
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

  /// How the program ended, by how bubblewrap did, which can't be killed by the program's signal itself.
  static func ending(_ ending: ChildProcess.Ending) -> ChildProcess.Ending {
    guard case .exited(let code) = ending, (129...192).contains(code) else { return ending }
    return .killed(signal: code - 128)
  }
}
