#if canImport(Darwin)
  import Dispatch

  extension ChildProcess {
    /// Waits until the process has ended.
    ///
    /// Not by `waitUntilExit`, which turns a run loop here and looks in steps of a few hundredths of a second.
    func waitForExit() { end.wait() }
  }
#endif
