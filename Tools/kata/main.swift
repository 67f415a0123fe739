import Dispatch
import Foundation
import KataKit

// Arguments in, text and exit code out; everything else is in KataKit.

func run(_ arguments: Arguments, _ terminal: Terminal?) throws -> ExitCode {
  try Catalogue.check()
  let environment = ProcessInfo.processInfo.environment
  let isPlain = terminal == nil || environment["NO_COLOR"] != nil || environment["TERM"] == "dumb"
  let repository = try Repository.containing(
    URL(filePath: FileManager.default.currentDirectoryPath))
  let commands = Commands(
    repository: repository,
    style: TextStyle(hasColours: !isPlain, width: terminal == nil ? 80 : Terminal.width),
    patience: try Judge.patienceFromEnvironment()
  ) { text in
    // Whoever reads may have gone ("kata list | head"); there's nobody left to tell then.
    if (try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))) == nil {
      ProcessRegistry.stopAll()
      exit(ExitCode.environment.rawValue)
    }
  }
  let name = arguments.subject
  switch arguments.command {
  case .watch: return try commands.watch(name, terminal: terminal)
  case .run: return try commands.run(name, asJSON: arguments.has(.json))
  case .list: return try commands.list(asJSON: arguments.has(.json))
  case .hint: return try commands.hint(name)
  case .solution: return try commands.solution(name, anyway: arguments.has(.yes))
  case .reset: return try commands.reset(name)
  case .verify where arguments.has(.diagnosis):
    return try commands.verifyDiagnosis(
      name, isReplay: arguments.has(.replay), asJSON: arguments.has(.json))
  case .verify:
    return try commands.verify(
      name, stress: arguments[.stress].flatMap { Int($0) } ?? 1, asJSON: arguments.has(.json))
  case .mutate: return try commands.mutate(name, asJSON: arguments.has(.json))
  case .report:
    return try commands.report(
      name, format: arguments[.format].flatMap { ReportFormat(rawValue: $0) } ?? .json,
      output: arguments[.output])
  case .grade:
    var request = GradeRequest(folders: arguments.subjects)
    request.katas = arguments[.kata]
    request.shard = arguments[.shard].flatMap { Shard($0) }
    request.looksForRaces = !arguments.has(.noRaces)
    request.isMerge = arguments.has(.merge)
    request.output = arguments[.output]
    return try commands.grade(request)
  case .export: return try commands.export(to: arguments[.output], name: arguments[.name])
  case .import: return try commands.importProgress(from: name)
  case .handout:
    var options = Commands.HandoutOptions()
    options.hasReferences = arguments.has(.references)
    options.hasDocs = arguments.has(.docs)
    options.isClassroom = arguments.has(.classroom)
    options.output = arguments[.output]
    return try commands.handout(name, options)
  case .scoreboard:
    return try commands.scoreboard(
      of: name, to: arguments[.output], refresh: arguments[.refresh].flatMap { Int($0) })
  case .doctor: return try commands.doctor()
  case .docs: return try arguments[.check].map(commands.checkDocs) ?? commands.docs()
  }
}

let words = Array(CommandLine.arguments.dropFirst())
if ["help", "--help", "-h"].contains(words.first) {
  FileHandle.standardOutput.write(Data(Usage.text.utf8))
  exit(ExitCode.done.rawValue)
}

// An interrupted command leaves no process behind and the terminal as it was.
let terminal = Terminal.current()
signal(SIGPIPE, SIG_IGN)
let interruptions = [SIGINT, SIGTERM, SIGHUP].map { number in
  signal(number, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
  // Sendable: it isn't called on the main thread, to which the code of this file belongs.
  source.setEventHandler { @Sendable [terminal] in
    terminal?.giveBack()
    ProcessRegistry.stopAll()
    exit(128 + number)
  }
  source.resume()
  return source
}

// Ctrl-Z gives the terminal back until the command goes on.
signal(SIGTSTP, SIG_IGN)
let suspension = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: .global())
suspension.setEventHandler { @Sendable [terminal] in
  if let terminal { terminal.suspend() } else { kill(getpid(), SIGSTOP) }
}
suspension.resume()

do {
  let code = try run(try Arguments(words), terminal)
  exit(code.rawValue)
} catch {
  terminal?.giveBack()
  ProcessRegistry.stopAll()
  FileHandle.standardError.write(Data("kata: \(error)\n".utf8))
  exit((error as? KataError)?.exitCode.rawValue ?? ExitCode.environment.rawValue)
}
