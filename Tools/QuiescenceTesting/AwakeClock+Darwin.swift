#if canImport(Darwin)
  import Darwin

  /// The clock by which patience is measured: it stands still while the machine sleeps.
  ///
  /// Source: clock_gettime(3); `CLOCK_MONOTONIC` goes on there while the lid is closed.
  package let awakeClock: clockid_t = CLOCK_UPTIME_RAW
#endif
