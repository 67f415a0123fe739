#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension ChildProcess {
    /// Waits until the process has ended; by the calling thread's run loop, into which Foundation has put what
    /// tells of the end.
    func waitForExit() { process.waitUntilExit() }
  }
#endif
