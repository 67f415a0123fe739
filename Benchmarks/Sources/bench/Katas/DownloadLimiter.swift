import Foundation
import GroupsSemaphores
import Synchronization

enum DownloadLimiterBenchmark {
  static let all = [
    Measurement(
      kata: "DownloadLimiter", subject: "downloads, four at once",
      reference: downloads { DownloadLimiter(limit: 4) },
      contenders: [
        Contender("a semaphore in each block", aim: 1, downloads { WaitingBlocks(limit: 4) }),
        Contender("a lock and a list", downloads { ListLimiter(limit: 4) }),
      ])
  ]

  /// Downloads that end on another queue.
  private static func downloads(_ make: @escaping @Sendable () -> some Limiter) -> Preparation {
    { load in
      let limiter = make()
      let network = DispatchQueue(label: "benchmarks.network")
      let downloads = InFlight(limit: 4)
      return Trial(expected: load.operations) { _ in
        for _ in 0..<load.count {
          downloads.group.enter()
          limiter.submit { finished in
            downloads.begin()
            network.async {
              downloads.end()
              finished()
              downloads.group.leave()
            }
          }
        }
        return 0
      } settle: {
        downloads.group.wait()
        return downloads.ended
      }
    }
  }
}

/// Limits the downloads in flight.
private protocol Limiter: Sendable {
  func submit(_ download: @escaping @Sendable (_ finished: @escaping @Sendable () -> Void) -> Void)
}

extension DownloadLimiter: Limiter {
  fileprivate func submit(
    _ download: @escaping @Sendable (_ finished: @escaping @Sendable () -> Void) -> Void
  ) {
    let download: Download = download
    submit(download)
  }
}

/// A block for each download, which waits for a slot.
private final class WaitingBlocks: Limiter {
  private let queue = DispatchQueue(label: "benchmarks.waiting-blocks", attributes: .concurrent)
  private let slots = DispatchSemaphore(value: 0)

  init(limit: Int) {
    for _ in 0..<limit { slots.signal() }
  }

  func submit(_ download: @escaping @Sendable (_ finished: @escaping @Sendable () -> Void) -> Void)
  {
    queue.async { [slots] in
      slots.wait()
      download { slots.signal() }
    }
  }
}

/// A counter and the downloads in line, behind a lock; no thread waits.
private final class ListLimiter: Limiter {
  typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) -> Void

  private struct State {
    var free: Int
    var line: [Download] = []
    var next = 0

    /// Takes a slot and the first in line, if there are both.
    mutating func start() -> Download? {
      guard free > 0, next < line.count else { return nil }
      free -= 1
      next += 1
      let download = line[next - 1]
      if next == line.count {
        line.removeAll(keepingCapacity: true)
        next = 0
      }
      return download
    }
  }

  private let state: Mutex<State>

  init(limit: Int) {
    state = Mutex(State(free: limit))
  }

  func submit(_ download: @escaping Download) {
    start(
      state.withLock { state in
        state.line.append(download)
        return state.start()
      })
  }

  private func start(_ download: Download?) {
    guard let download else { return }
    download { [self] in
      start(
        state.withLock { state in
          state.free += 1
          return state.start()
        })
    }
  }
}

/// Checks how many are in flight.
private final class InFlight: Sendable {
  let group = DispatchGroup()
  private let limit: Int
  private let current = Atomic(0)
  private let good = Atomic(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// How many didn't exceed the limit; read when all have ended.
  var ended: Int { good.load(ordering: .sequentiallyConsistent) }

  func begin() {
    let now = current.add(1, ordering: .relaxed).newValue
    if now <= limit { good.add(1, ordering: .relaxed) }
  }

  func end() {
    current.subtract(1, ordering: .relaxed)
  }
}
