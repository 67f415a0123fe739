import Foundation

/// A line and a counter behind a condition variable; one thread waits until both allow a start.
public final class DownloadLimiter: Sendable {
  public typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) throws -> Void

  private let line: Line

  public init(limit: Int) {
    precondition(limit > 0, "a limit of \(limit) downloads would let none start")
    let line = Line(free: limit)
    self.line = line
    Thread { line.startDownloads() }.start()
  }

  deinit {
    line.close()
  }

  public func submit(_ download: @escaping Download) {
    line.append(download)
  }
}

private final class Line: Sendable {
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var waiting: [DownloadLimiter.Download] = []
  private nonisolated(unsafe) var free: Int
  private nonisolated(unsafe) var inFlight: Set<Int> = []  // Safe: as above.
  private nonisolated(unsafe) var started = 0
  private nonisolated(unsafe) var isClosed = false

  init(free: Int) {
    self.free = free
  }

  func append(_ download: @escaping DownloadLimiter.Download) {
    condition.withLock {
      waiting.append(download)
      condition.signal()
    }
  }

  /// Lets the thread end when the line is empty.
  func close() {
    condition.withLock {
      isClosed = true
      condition.signal()
    }
  }

  func startDownloads() {
    while let (number, download) = next() {
      do {
        try download { self.end(number) }
      } catch {
        end(number)
      }
    }
  }

  private func next() -> (Int, DownloadLimiter.Download)? {
    condition.withLock {
      while waiting.isEmpty || free == 0 {
        if waiting.isEmpty, isClosed { return nil }
        condition.wait()
      }
      free -= 1
      started += 1
      inFlight.insert(started)
      return (started, waiting.removeFirst())
    }
  }

  private func end(_ number: Int) {
    condition.withLock {
      guard inFlight.remove(number) != nil else { return }
      free += 1
      condition.signal()
    }
  }
}
