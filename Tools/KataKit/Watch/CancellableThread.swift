import Foundation

/// Work on a thread of its own, with cooperative cancellation.
final class CancellableThread: Sendable {
  private let signal = CancellationFlag()
  private let finished = DispatchSemaphore(value: 0)

  /// Starts the thread.
  init(_ body: @escaping @Sendable (CancellationFlag) -> Void) {
    let (signal, finished) = (signal, finished)
    Thread.detachNewThread {
      body(signal)
      finished.signal()
    }
  }

  /// Cancels the work, and waits until it has ended.
  func stop() {
    signal.stop()
    finished.wait()
    finished.signal()
  }
}
