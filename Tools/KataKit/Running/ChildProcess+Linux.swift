#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension ChildProcess {
    /// Waits until the process has ended; by the calling thread's run loop, into which Foundation has put what
    /// tells of the end.
    func waitForExit() { process.waitUntilExit() }

    /// Makes a pipe a megabyte wide, so that a thread that prints much hardly ever sleeps in it: a spec would take that
    /// for waiting.
    ///
    /// Source: `F_SETPIPE_SZ` of fcntl(2), which is 1031. Where the system allows less, it stays as it is.
    static func widen(_ pipe: Pipe) {
      _ = fcntl(pipe.fileHandleForReading.fileDescriptor, 1031, 1 << 20)
    }
  }
#endif
