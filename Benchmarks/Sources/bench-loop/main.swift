import Foundation
import Measuring

let usage = """
  usage: bench-loop [kata] [--pairs N] [--tool PATH] [edits] [growth] [fresh]

    edits   a save to its verdict: 'kata run' beside 'swift test --filter' and beside the floor;
            and in 'kata watch', and to the end of the check by Thread Sanitizer
    growth  the same with more katas in the module
    fresh   a fresh clone to its first verdict

  Without a choice, all three. --tool measures another build of 'kata', such as one from before a
  change. In the repository's folder, with the tool built: 'make bench-loop'.

  """

do {
  var choices: [String] = []
  var kata = "SerialLog"
  var pairs = 15
  let folder = URL(filePath: FileManager.default.currentDirectoryPath)
  var tool = folder.appending(path: ".build/kata").path
  var words = CommandLine.arguments.dropFirst()
  while let word = words.popFirst() {
    switch word {
    case "edits", "growth", "fresh": choices.append(word)
    case "--pairs":
      pairs = try Measuring.pairs(in: words.popFirst())
    case "--tool":
      guard let path = words.popFirst(), FileManager.default.isExecutableFile(atPath: path) else {
        throw BenchmarkError.usage("--tool takes the path of a built 'kata'.")
      }
      tool = URL(filePath: path, relativeTo: folder).path
    case "--help", "-h":
      say(usage)
      exit(0)
    case _ where word.hasPrefix("-"): throw BenchmarkError.usage("There is no option '\(word)'.")
    default: kata = word
    }
  }
  let benchmark = Benchmark(source: folder, kata: kata, tool: tool, pairs: pairs)
  if choices.isEmpty { choices = ["edits", "growth", "fresh"] }
  for choice in choices {
    switch choice {
    case "edits": try benchmark.edits()
    case "growth": try benchmark.growth()
    default: try benchmark.fresh()
    }
  }
} catch {
  end("bench-loop", with: error)
}
