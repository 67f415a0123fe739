import Barriers
import Benchmark
import Dispatch
import Foundation
import GCDBasics

// What the references cost beside the plainest thing that would do: a lock.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], scalingFactor: .kilo, maxDuration: .seconds(2))

  Benchmark("SerialLog: append") { benchmark in
    let log = SerialLog()
    for _ in benchmark.scaledIterations { log.append("message") }
    blackHole(log.entries)
  }

  Benchmark("an array behind a lock: append") { benchmark in
    let lock = NSLock()
    var lines: [String] = []
    for _ in benchmark.scaledIterations { lock.withLock { lines.append("message") } }
    blackHole(lines)
  }

  Benchmark("PhotoStore: read") { benchmark in
    let store = PhotoStore(noticeQueue: DispatchQueue(label: "katas.benchmarks")) { _ in }
    for number in 0..<10 { store.add(Photo("\(number)")) }
    for _ in benchmark.scaledIterations { blackHole(store.read { $0.count }) }
  }

  Benchmark("an array behind a lock: read") { benchmark in
    let lock = NSLock()
    let photos = (0..<10).map { Photo("\($0)") }
    for _ in benchmark.scaledIterations { blackHole(lock.withLock { photos.count }) }
  }
}
