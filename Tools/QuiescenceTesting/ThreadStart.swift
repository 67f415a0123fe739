import Foundation

extension Thread {
  /// Starts a thread that runs `body`, with 8 MB of stack, Linux's usual default.
  ///
  /// On Apple's platforms the default would be 512 KB, and deeply recursive code would crash only
  /// there. The thread doesn't retain `body` after it has run; Foundation's own does on Linux.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let work = LockedValue<(@Sendable () -> Void)?>(body)
    let thread = Thread {
      let body = work.withLock { $0.take() }
      body?()
    }
    thread.stackSize = 8 * 1024 * 1024
    thread.start()
  }
}
