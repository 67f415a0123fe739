import Foundation

/// A line and a counter behind a lock that is still held when a download is started.
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
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var waiting: [DownloadLimiter.Download] = []
  private nonisolated(unsafe) var free: Int
  private nonisolated(unsafe) var inFlight: Set<Int> = []  // Safe: as above.
  private nonisolated(unsafe) var started = 0
  private let lock = NSLock()

  init(free: Int) {
    self.free = free
  }

  func submit(_ download: @escaping DownloadLimiter.Download) {
    lock.withLock {
      waiting.append(download)
      startNext()
    }
  }

  /// Called with the lock held.
  private func startNext() {
    while free > 0, !waiting.isEmpty {
      free -= 1
      started += 1
      let number = started
      inFlight.insert(number)
      let download = waiting.removeFirst()
      do {
        try download { self.end(number) }
      } catch {
        if inFlight.remove(number) != nil { free += 1 }
      }
    }
  }

  private func end(_ number: Int) {
    lock.withLock {
      guard inFlight.remove(number) != nil else { return }
      free += 1
      startNext()
    }
  }
}
