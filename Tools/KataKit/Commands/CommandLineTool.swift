import Dispatch
import Foundation

/// A program of the katas: from its command line to its exit code.
package struct CommandLineTool {
  /// What does a command that is this program's own.
  package typealias Action = (Commands, Arguments, Terminal?) throws -> ExitCode

  private let tool: Tool

  package init(tool: Tool) {
    self.tool = tool
  }

  /// Does what the command line asks for, and ends the process.
  ///
  /// An interrupted command leaves no process behind and the terminal as it was.
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

  /// The clone that the process was started in; for code of one's own, which is judged from anywhere, that
  /// in which this program was built will do.
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
    // Said before anything is built.
    _ = try SpecRunner.secondsToExplore()
    let isPlain = terminal == nil || environment["NO_COLOR"] != nil || environment["TERM"] == "dumb"
    return Commands(
      repository: repository,
      style: TextStyle(
        hasColours: !isPlain, width: terminal == nil ? 80 : Terminal.width,
        // Code of one's own lies elsewhere.
        linkRoot: !isPlain && command != .judge && TextStyle.hasLinks(environment)
          ? repository.root.path : nil),
      timeout: try Judge.timeoutFromEnvironment(), way: try JudgingWay.fromEnvironment()
    ) { text in
      // The reader may have gone ("kata list | head"); there's nobody left to tell then.
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

  /// Becomes the program that does a command, which lies beside this one; throws where it isn't there.
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

  /// Ctrl-Z gives the terminal back until the command goes on.
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
