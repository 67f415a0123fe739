#if canImport(Glibc) || canImport(Musl)
  import Foundation

  /// The clock by which patience is measured: it stands still while the machine sleeps.
  ///
  /// Source: clock_gettime(2).
  package let awakeClock: clockid_t = CLOCK_MONOTONIC
#endif
