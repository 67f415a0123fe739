/// How many threads this process has now, the caller's included; nil where the system doesn't tell.
///
/// Threads of Dispatch's pools come and go, so compare two counts with room for a few dozen.
public func processThreadCount() -> Int? {
  ThreadSnapshot.take().map { $0.threads.count + 1 }
}
