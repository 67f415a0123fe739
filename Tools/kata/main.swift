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
    doctor                    whether this machine has what the katas need

    --json                    (run, list, verify) print JSON
    --yes                     (solution) show it before the kata is done
    --stress N                (verify) judge every answer N times, with busy cores
    --diagnosis               (verify) measure how often "looks like" is right
    --replay                  (verify --diagnosis) guess again on what the last time has shown

  Exit codes: 0 done, 1 not done, 2 usage, 3 environment. KATA_PATIENCE sets, in seconds, how long
  a spec waits for what must happen.

  """

/// What stands on the command line.
struct Arguments {
  var command = "watch"
  var name: String?
  var asJSON = false
  var anyway = false
  var stress = 1
  var isDiagnosis = false
  var isReplay = false

  static let commands = ["watch", "run", "list", "hint", "solution", "reset", "verify", "doctor"]

  init(_ arguments: [String]) throws {
    var words: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--json": asJSON = true
      case "--yes": anyway = true
      case "--diagnosis": isDiagnosis = true
      case "--replay": isReplay = true
      case "--stress":
        guard let text = rest.popFirst(), let count = Int(text), count > 0 else {
          throw KataError(
            "--stress takes a whole number from 1 up: 'kata verify --stress 20'.", .usage)
        }
        stress = count
      case _ where word.hasPrefix("-"):
        throw KataError("There is no option '\(word)'; 'kata help' shows them all.", .usage)
      default: words.append(word)
      }
    }
    if let first = words.first {
      guard Self.commands.contains(first) else {
        throw KataError("There is no command '\(first)'; 'kata help' shows them all.", .usage)
      }
      command = first
    }
    guard words.count <= 2 else {
      throw KataError("'\(words[2])' is one word too many; name one kata at a time.", .usage)
    }
    name = words.count > 1 ? words[1] : nil
    if asJSON, !["run", "list", "verify"].contains(command) {
      throw KataError("--json goes with run, list and verify, not with \(command).", .usage)
    }
    if isDiagnosis, command != "verify" {
      throw KataError("--diagnosis goes with verify, not with \(command).", .usage)
    }
    if isDiagnosis, stress > 1 {
      throw KataError("--stress goes with a proof, not with --diagnosis.", .usage)
    }
    if isReplay, !isDiagnosis {
      throw KataError("--replay goes with 'verify --diagnosis'.", .usage)
    }
  }
}

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
  switch arguments.command {
  case "run": return try commands.run(arguments.name, asJSON: arguments.asJSON)
  case "list": return try commands.list(asJSON: arguments.asJSON)
  case "hint": return try commands.hint(arguments.name)
  case "solution": return try commands.solution(arguments.name, anyway: arguments.anyway)
  case "reset": return try commands.reset(arguments.name)
  case "verify" where arguments.isDiagnosis:
    return try commands.verifyDiagnosis(
      arguments.name, isReplay: arguments.isReplay, asJSON: arguments.asJSON)
  case "verify":
    return try commands.verify(
      arguments.name, stress: arguments.stress, asJSON: arguments.asJSON)
  case "doctor": return try commands.doctor()
  default: return try commands.watch(arguments.name, terminal: terminal)
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

do {
  let code = try run(try Arguments(words), terminal)
  exit(code.rawValue)
} catch {
  terminal?.giveBack()
  LiveProcesses.stopAll()
  FileHandle.standardError.write(Data("kata: \(error)\n".utf8))
  exit((error as? KataError)?.exitCode.rawValue ?? ExitCode.environment.rawValue)
}
