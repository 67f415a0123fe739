/// The current number of threads in this process, including the caller's; nil if the system doesn't
/// show it.
///
/// Dispatch starts and ends pool threads at any time, so allow for a few dozen when you compare two
/// counts.
public func processThreadCount() -> Int? {
  ThreadSnapshot.take().map { $0.threads.count + 1 }
}
