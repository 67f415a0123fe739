import Foundation

/// No semaphore: a line and a counter behind a lock; each thread that changes them starts what may start.
///
/// The thread that starts downloads goes on until none may start. A download that finishes at once, or
/// on another thread meanwhile, only changes the counter. So starts never nest, however many there are.
public final class DownloadLimiter: Sendable {
  public typealias Download = @Sendable (_ finished: @escaping @Sendable () -> Void) throws -> Void

  private let line: Line

  public init(limit: Int) {
    precondition(limit > 0, "a limit of \(limit) downloads would let none start")
    line = Line(free: limit)
  }

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
