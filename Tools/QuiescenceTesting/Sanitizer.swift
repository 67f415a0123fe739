import KataSanitizer

/// Thread Sanitizer, where this program is built with it.
enum Sanitizer {
  /// Whether the sanitizer is told of what it doesn't see by itself; see the target KataSanitizer.
  static let isTold = kata_sanitizer_is_told()

  /// The thread that the sanitizer keeps for itself, where that is known.
  ///
  /// It wakes about ten times a second, whatever happens, and does nothing that anybody waits for.
  static let ownThread: Int32? = {
    let number = kata_sanitizer_own_thread()
    return number == 0 ? nil : number
  }()
}
