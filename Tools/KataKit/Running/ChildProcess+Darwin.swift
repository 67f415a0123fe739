#if canImport(Darwin)
  import Dispatch
  import Foundation

  extension ChildProcess {
    /// Waits until the process has ended.
    ///
    /// `waitUntilExit` isn't used, since it turns a run loop here and polls every few hundredths of
    /// a second.
    func waitForExit() { end.wait() }

    /// Does nothing: the system widens a pipe itself.
    static func widen(_: Pipe) {}
  }
#endif
