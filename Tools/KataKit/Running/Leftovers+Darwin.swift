#if canImport(Darwin)
  /// Processes that a run has left behind in groups of their own.
  enum Leftovers {
    /// Does nothing: another process's environment can't be read here, and only the run's own group
    /// is ended with it.
    static func stop(markedBy mark: String) {}
  }
#endif
