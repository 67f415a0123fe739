import Foundation

extension Thread {
  /// Starts a thread that runs `body`, with as much stack as Linux gives to one by itself.
  ///
  /// On Apple's systems it would have 512 KB, and code that calls itself deeply would crash there alone.
  /// Whoever keeps the thread doesn't keep what it ran: Foundation on Linux would.
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
