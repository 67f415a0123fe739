import Foundation
import Measuring

let usage = """
  usage: bench [kata] [--pairs N] [--only alone|contended]

  Measures the references and alternatives to them, in pairs. It prints ratios of throughput: above 1
  the reference is faster.

    kata         one that is measured: \(katas.joined(separator: ", ")); without one, all
    --only       'alone' measures with one thread, 'contended' with several

  In the repository's folder: 'make bench'.

  """

do {
  var chosen = katas
  var crews = Crew.allCases
  var pairs = 15
  var words = CommandLine.arguments.dropFirst()
  while let word = words.popFirst() {
    switch word {
    case "--pairs": pairs = try Measuring.pairs(in: words.popFirst())
    case "--only":
      guard let crew = words.popFirst().flatMap(Crew.init) else {
        throw BenchmarkError.usage("--only takes 'alone' or 'contended'.")
      }
      crews = [crew]
    case "--help", "-h":
      say(usage)
      exit(0)
    case "all": chosen = katas
    case _ where word.hasPrefix("-"):
      throw BenchmarkError.usage("There is no option '\(word)'.")
    default:
      guard katas.contains(word) else {
        throw BenchmarkError.usage(
          "'\(word)' isn't measured; what is: \(katas.joined(separator: ", ")).")
      }
      chosen = [word]
    }
  }
  say(
    """
    Throughput of the reference, divided by that of each contender: above 1 the reference is faster.
    Median (quartiles) of \(pairs) pairs, \(ProcessInfo.processInfo.activeProcessorCount) cores; \
    by time on the clock, then by processor time.
    """)
  // A lock is cheaper in a process that has never had a second thread.
  Crew.contended.meet()
  for measurement in measurements where chosen.contains(measurement.kata) {
    for crew in crews where measurement.crews.contains(crew) {
      try measurement.report(crew, pairs: pairs)
    }
  }
} catch {
  end("bench", with: error)
}
