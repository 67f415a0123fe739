/// A line and a counter that any thread changes: nothing guards them.
public final class DownloadLimiter: Sendable {
  public typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) throws -> Void

  private let line: Line

  public init(limit: Int) {
    precondition(limit > 0, "a limit of \(limit) downloads would let none start")
    line = Line(free: limit)
  }

  public func submit(_ download: @escaping Download) {
    line.waiting.append(download)
    line.startNext()
  }
}

// Safe: it isn't, and that is the mistake.
private final class Line: @unchecked Sendable {
  var waiting: [DownloadLimiter.Download] = []
  var free: Int
  var inFlight: Set<Int> = []
  var started = 0

  init(free: Int) {
    self.free = free
  }

  func startNext() {
    guard free > 0, !waiting.isEmpty else { return }
    free -= 1
    started += 1
    let number = started
    inFlight.insert(number)
    let download = waiting.removeFirst()
    do {
      try download { self.end(number) }
    } catch {
      end(number)
    }
  }

  private func end(_ number: Int) {
    guard inFlight.remove(number) != nil else { return }
    free += 1
    startNext()
  }
}
