#if canImport(Glibc) || canImport(Musl)
  import Foundation

  /// The clock that measures timeouts: it stops while the machine sleeps.
  ///
  /// Source: clock_gettime(2).
  package let awakeClock: clockid_t = CLOCK_MONOTONIC
#endif
