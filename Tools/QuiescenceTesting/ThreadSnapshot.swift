/// A sample of the other threads of this process: how often each has run, and whether all sleep.
///
/// The count of each thread is read before its state. A thread with the same count in two samples
/// that is asleep in the first has slept from the first sample's state to the second sample's
/// count. So between two equal samples there is a moment at which every thread slept, and none was
/// left to wake another.
struct ThreadSnapshot: Equatable {
  /// The other threads in the system's order, which changes only if the threads do.
  var threads: [ThreadSample] = []

  /// Whether every thread but the caller's sleeps.
  var allAsleep: Bool {
    for look in threads where !look.isAsleep { return false }
    return true
  }

  /// The sample of one thread.
  subscript(number: Int32) -> ThreadSample? { threads.first { $0.number == number } }

  /// The same snapshot without the given threads.
  func ignoring(_ ignored: [Int32]) -> ThreadSnapshot {
    ThreadSnapshot(threads: threads.filter { !ignored.contains($0.number) })
  }
}

/// A sample of one thread.
struct ThreadSample: Equatable {
  /// The system's number of the thread.
  let number: Int32
  /// A number that grows whenever the thread runs.
  let work: UInt64
  /// Whether the thread sleeps in the kernel, waiting to be woken.
  let isAsleep: Bool
}
