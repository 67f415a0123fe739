import Foundation

/// Work on a thread of its own that looks whether it is to stop.
final class CancellableThread: Sendable {
  private let signal = CancellationFlag()
  private let finished = DispatchSemaphore(value: 0)

  /// Begins it.
  init(_ body: @escaping @Sendable (CancellationFlag) -> Void) {
    let (signal, finished) = (signal, finished)
    Thread.detachNewThread {
      body(signal)
      finished.signal()
    }
  }

  /// Asks it to stop, and waits until it has ended.
  func stop() {
    signal.stop()
    finished.wait()
    finished.signal()
  }
}
