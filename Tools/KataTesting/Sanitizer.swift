import KataSanitizer

/// Thread Sanitizer, where this program is built with it.
enum Sanitizer {
  /// Whether the sanitizer is told of what it doesn't see by itself; see the target KataSanitizer.
  static let isTold = kata_sanitizer_is_told()
}
