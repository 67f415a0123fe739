#if canImport(Darwin)
  /// Processes that a run has left behind in groups of their own.
  enum Leftovers {
    /// Does nothing: another process's environment can't be read here.
    ///
    /// What a run has started is ended with it as long as its parents live, and so is its own group.
    static func stop(markedBy mark: String) {}
  }
#endif
