import Foundation

extension Thread {
  /// Starts a thread that runs `body`, with as much stack as Linux gives to one by itself.
  ///
  /// On Apple's systems it would have 512 KB, and an answer that calls itself deeply another verdict.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 8 * 1024 * 1024
    thread.start()
  }
}
