import Dispatch

/// Starts the newest download first: the line is a stack.
public final class DownloadLimiter: Sendable {
  public typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) throws -> Void

  private let line: Line

  public init(limit: Int) {
    precondition(limit > 0, "a limit of \(limit) downloads would let none start")
    line = Line(free: limit)
  }

  public func submit(_ download: @escaping Download) {
    line.submit(download)
  }
}

private final class Line: Sendable {
  // Safe: touched on `queue` only.
  private nonisolated(unsafe) var waiting: [DownloadLimiter.Download] = []
  private nonisolated(unsafe) var free: Int
  private nonisolated(unsafe) var inFlight: Set<Int> = []  // Safe: as above.
  private nonisolated(unsafe) var started = 0
  private let queue = DispatchQueue(label: "katas.answers.download-limiter")

  init(free: Int) {
    self.free = free
  }

  func submit(_ download: @escaping DownloadLimiter.Download) {
    queue.async { [self] in
      waiting.append(download)
      startNext()
    }
  }

  private func startNext() {
    guard free > 0, !waiting.isEmpty else { return }
    free -= 1
    started += 1
    let number = started
    inFlight.insert(number)
    let download = waiting.removeLast()
    do {
      try download { self.end(number) }
    } catch {
      end(number)
    }
  }

  private func end(_ number: Int) {
    queue.async { [self] in
      guard inFlight.remove(number) != nil else { return }
      free += 1
      startNext()
    }
  }
}
