#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension ChildProcess {
    /// Waits until the process has ended, in the calling thread's run loop, which Foundation
    /// notifies of the end.
    func waitForExit() { process.waitUntilExit() }

    /// Gives a pipe a capacity of a megabyte, so that a thread that prints much hardly ever sleeps
    /// in it.
    ///
    /// A spec would take that sleep for waiting.
    ///
    /// Source: `F_SETPIPE_SZ` of fcntl(2), which is 1031. If the system allows less, the capacity
    /// doesn't change.
    static func widen(_ pipe: Pipe) {
      _ = fcntl(pipe.fileHandleForReading.fileDescriptor, 1031, 1 << 20)
    }
  }
#endif
