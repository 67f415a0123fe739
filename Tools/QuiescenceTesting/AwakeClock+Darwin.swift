#if canImport(Darwin)
  import Darwin

  /// The clock that measures timeouts: it stops while the machine sleeps.
  ///
  /// Source: clock_gettime(3). There, `CLOCK_MONOTONIC` continues while the machine sleeps.
  package let awakeClock: clockid_t = CLOCK_UPTIME_RAW
#endif
