#if canImport(Darwin)
  import Dispatch
  import Foundation

  extension ChildProcess {
    /// Waits until the process has ended.
    ///
    /// Not by `waitUntilExit`, which turns a run loop here and looks in steps of a few hundredths of a second.
    func waitForExit() { end.wait() }

    /// Leaves a pipe as it is: the system widens it itself.
    static func widen(_: Pipe) {}
  }
#endif
