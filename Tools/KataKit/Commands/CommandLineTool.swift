import Dispatch
import Foundation

/// A program of the katas: from its command line to its exit code.
package struct CommandLineTool {
  /// Runs a command that belongs to this program.
  package typealias Action = (Commands, Arguments, Terminal?) throws -> ExitCode

  private let tool: Tool

  package init(tool: Tool) {
    self.tool = tool
  }

  /// Runs the command that the command line asks for, and ends the process.
  ///
  /// An interrupted command leaves no process behind, and restores the terminal.
  package func main(_ action: Action) -> Never {
    let words = Array(CommandLine.arguments.dropFirst())
    if ["help", "--help", "-h"].contains(words.first) {
      FileHandle.standardOutput.write(Data(Usage.text.utf8))
      exit(ExitCode.done.rawValue)
    }
    do {
      let arguments = try Arguments(words)
      if arguments.command.tool != tool { try Self.handOver(arguments.command, words) }
      try run(arguments, action)
    } catch {
      ProcessRegistry.stopAll()
      FileHandle.standardError.write(Data("kata: \(error)\n".utf8))
      exit((error as? KataError)?.exitCode.rawValue ?? ExitCode.environment.rawValue)
    }
  }

  private func run(_ arguments: Arguments, _ action: Action) throws -> Never {
    let terminal = Terminal.current()
    signal(SIGPIPE, SIG_IGN)
    let sources = Self.interruptions(of: terminal) + [Self.suspension(of: terminal)]
    let code = try withExtendedLifetime(sources) {
      do {
        return try action(try Self.commands(for: arguments.command, terminal), arguments, terminal)
      } catch {
        terminal?.giveBack()
        throw error
      }
    }
    exit(code.rawValue)
  }

  /// The clone that the process was started in.
  ///
  /// 'judge' works in any folder, with the clone that this program was built in.
  private static func repository(for command: KataCommand) throws -> Repository {
    do {
      return try Repository.containing(URL(filePath: FileManager.default.currentDirectoryPath))
    } catch {
      guard command == .judge, let own = try? Repository.containing(program) else { throw error }
      return own
    }
  }

  private static func commands(
    for command: KataCommand, _ terminal: Terminal?
  ) throws -> Commands {
    let repository = try repository(for: command)
    Catalogue.read(from: repository)
    try Catalogue.check()
    let environment = ProcessInfo.processInfo.environment
    // Reported before anything is built.
    _ = try SpecRunner.secondsToExplore()
    let isPlain = terminal == nil || environment["NO_COLOR"] != nil || environment["TERM"] == "dumb"
    return Commands(
      repository: repository,
      style: TextStyle(
        hasColours: !isPlain, width: terminal == nil ? 80 : Terminal.width,
        // The learner's own code is elsewhere.
        linkRoot: !isPlain && command != .judge && TextStyle.hasLinks(environment)
          ? repository.root.path : nil),
      timeout: try Judge.timeoutFromEnvironment(), way: try JudgingWay.fromEnvironment()
    ) { text in
      // If the reader has gone ("kata list | head"), no further output is of use.
      if (try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))) == nil {
        ProcessRegistry.stopAll()
        let hasNoVerdict = [.list, .page, .hint, .solution].contains(command)
        exit((hasNoVerdict ? ExitCode.done : .environment).rawValue)
      }
    }
  }

  /// This program's file.
  private static var program: URL {
    Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
  }

  /// Replaces this process with the program that has the command, from the same folder; throws if
  /// it isn't there.
  private static func handOver(_ command: KataCommand, _ words: [String]) throws -> Never {
    let program = Self.program.deletingLastPathComponent().appending(path: command.tool.rawValue)
      .path
    let arguments = ([program] + words).map { strdup($0) } + [nil]
    execv(program, arguments)
    let name = command.tool.rawValue
    let here = URL(filePath: FileManager.default.currentDirectoryPath)
    if let repository = try? Repository.containing(here), !repository.exists("Tools/\(name)") {
      throw KataError("'\(command)' needs \(name), which isn't in this handout.", .environment)
    }
    throw KataError(
      "\(name), which does this, isn't built; 'make \(command)' builds it.", .environment)
  }

  // MARK: - Signals

  private static func interruptions(of terminal: Terminal?) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        terminal?.giveBack()
        ProcessRegistry.stopAll()
        exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  /// Ctrl-Z restores the terminal until the command continues.
  private static func suspension(of terminal: Terminal?) -> any DispatchSourceSignal {
    signal(SIGTSTP, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: .global())
    source.setEventHandler { @Sendable in
      if let terminal { terminal.suspend() } else { kill(getpid(), SIGSTOP) }
    }
    source.resume()
    return source
  }
}
