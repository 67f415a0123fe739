import Foundation

/// A line and a counter behind a lock; each thread starts what it has taken from the line.
public final class DownloadLimiter: Sendable {
  public typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) throws -> Void

  private let line: Line

  public init(limit: Int) {
    precondition(limit > 0, "a limit of \(limit) downloads would let none start")
    line = Line(free: limit)
  }

  public func submit(_ download: @escaping Download) {
    line.append(download)
  }
}

private final class Line: Sendable {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var waiting: [DownloadLimiter.Download] = []
  private nonisolated(unsafe) var inFlight: Set<Int> = []  // Safe: as above.
  private nonisolated(unsafe) var started = 0  // Safe: as above.
  private nonisolated(unsafe) var free: Int  // Safe: as above.

  init(free: Int) {
    self.free = free
  }

  func append(_ download: @escaping DownloadLimiter.Download) {
    lock.withLock { waiting.append(download) }
    startNext()
  }

  private func startNext() {
    let next: (Int, DownloadLimiter.Download)? = lock.withLock {
      guard free > 0, !waiting.isEmpty else { return nil }
      free -= 1
      started += 1
      inFlight.insert(started)
      return (started, waiting.removeFirst())
    }
    // Another thread may take the next download now, and start it first.
    guard let (number, download) = next else { return }
    do {
      try download { self.end(number) }
    } catch {
      end(number)
    }
  }

  private func end(_ number: Int) {
    let isFirst = lock.withLock {
      guard inFlight.remove(number) != nil else { return false }
      free += 1
      return true
    }
    if isFirst { startNext() }
  }
}
