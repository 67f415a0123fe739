import Dispatch
import Foundation
import KataKit

// Arguments in, text and exit code out; everything else is in KataKit.

let usage = """
  usage: kata [command] [kata] [options]

    watch [kata]              judge a kata whenever it's saved (the default)
    run [kata|module|all]     judge once; without a name, the first kata that isn't done
    list                      all katas, and what is done
    hint [kata]               the next hint
    solution kata             how the reference differs from your file
    reset kata                the stub again; your text is kept beside it
    verify [kata|module|all]  prove that specs reject what they must and accept what they must
    mutate [kata|module|all]  judge the reference with small edits made by rule: which pass?
    report [kata|module|all]  judge once and write a report for programs; without a name, all katas
    grade folder…             judge submissions, each in a copy of what it needs
    export                    write your progress, for another machine or a scoreboard
    import file               take in progress that export has written
    handout [katas]           one archive for participants; katas and modules with commas between
    scoreboard folder         one page of what many have exported into a folder
    doctor                    whether this machine has what the katas need
    docs                      write the complete documentation, for DocC to build

    --json                    (run, list, verify, mutate) print JSON
    --yes                     (solution) show it before the kata is done
    --stress N                (verify) judge every answer N times, with busy cores
    --diagnosis               (verify) measure how often "looks like" is right
    --replay                  (verify --diagnosis) guess again on what the last time has shown
    --format FORMAT           (report) json, junit or exercism; json unless said otherwise
    --output FILE             (report, export, handout, scoreboard) write this file;
                              (grade) the folder for the results
    --kata KATA|MODULE|all    (grade) what counts; all unless said otherwise
    --shard 2/5               (grade) judge the second of five parts
    --merge                   (grade) put together the results in folders
    --no-races                (grade) don't look for data races in what passes
    --name NAME               (export) say whose progress it is
    --references              (handout) put the references in
    --docs                    (handout) put the documentation's site in, once it is built
    --classroom               (handout) make a template folder for GitHub Classroom instead
    --refresh SECONDS         (scoreboard) have the page load itself again this often
    --check FOLDER            (docs) look for dead links in a built site

  Exit codes: 0 done, 1 not done, 2 usage, 3 environment. KATA_PATIENCE sets, in seconds, how long
  a spec waits for what must happen.

  """

func run(_ arguments: Arguments, _ terminal: Terminal?) throws -> ExitCode {
  let environment = ProcessInfo.processInfo.environment
  let isPlain = terminal == nil || environment["NO_COLOR"] != nil || environment["TERM"] == "dumb"
  let house = try House.containing(URL(filePath: FileManager.default.currentDirectoryPath))
  let commands = Commands(
    house: house,
    style: TextStyle(hasColours: !isPlain, width: terminal == nil ? 80 : Terminal.width),
    patience: try Judge.patienceFromEnvironment()
  ) { text in
    // Whoever reads may have gone ("kata list | head"); there's nobody left to tell then.
    if (try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))) == nil {
      LiveProcesses.stopAll()
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
  FileHandle.standardOutput.write(Data(usage.utf8))
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
    LiveProcesses.stopAll()
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
  LiveProcesses.stopAll()
  FileHandle.standardError.write(Data("kata: \(error)\n".utf8))
  exit((error as? KataError)?.exitCode.rawValue ?? ExitCode.environment.rawValue)
}
