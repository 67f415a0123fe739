import Foundation

/// A line and a counter behind a lock; when the limiter is released, all downloads in line are started.
public final class DownloadLimiter: Sendable {
  public typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) throws -> Void

  private let line: Line

  public init(limit: Int) {
    precondition(limit > 0, "a limit of \(limit) downloads would let none start")
    line = Line(free: limit)
  }

  deinit { line.flush() }

  public func submit(_ download: @escaping Download) {
    line.change { $0.waiting.append(download) }
  }
}

private final class Line: Sendable {
  struct State {
    var waiting: [DownloadLimiter.Download] = []
    var free: Int
    var isStarting = false
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var state: State
  private let lock = NSLock()

  init(free: Int) {
    state = State(free: free)
  }

  func change(_ body: (inout State) -> Void) {
    let starts = lock.withLock {
      body(&state)
      if state.isStarting { return false }
      state.isStarting = true
      return true
    }
    guard starts else { return }
    while let download = next() { start(download) }
  }

  func flush() {
    let all = lock.withLock {
      defer { state.waiting = [] }
      return state.waiting
    }
    for download in all { start(download) }
  }

  private func next() -> DownloadLimiter.Download? {
    lock.withLock {
      guard state.free > 0, !state.waiting.isEmpty else {
        state.isStarting = false
        return nil
      }
      state.free -= 1
      return state.waiting.removeFirst()
    }
  }

  private func start(_ download: DownloadLimiter.Download) {
    let once = Once { self.change { $0.free += 1 } }
    do { try download { once.run() } } catch { once.run() }
  }
}

private final class Once: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var body: (@Sendable () -> Void)?
  private let lock = NSLock()

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  func run() {
    let body = lock.withLock {
      defer { self.body = nil }
      return self.body
    }
    body?()
  }
}
