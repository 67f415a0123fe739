import KataSanitizer

/// Thread Sanitizer, if this program is built with it.
enum Sanitizer {
  /// Whether the sanitizer receives what it doesn't see by itself; see the target KataSanitizer.
  static let isNotified = kata_sanitizer_is_notified()
}
