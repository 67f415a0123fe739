/// A look at the other threads of this process: how often each has run, and whether all sleep.
///
/// Of each thread the count is read before the state. A thread with the same count in two looks, asleep in
/// the first, has slept from the first look's state to the second look's count; so in two equal looks
/// there is a moment, after all of the first and before any of the second, at which everybody slept and
/// nobody was left to wake anybody.
struct ThreadSnapshot: Equatable {
  /// The other threads, in the system's order, which changes with the threads alone.
  var threads: [ThreadLook] = []

  /// Whether every thread but the caller's sleeps.
  var allAsleep: Bool {
    for look in threads where !look.isAsleep { return false }
    return true
  }

  /// What the look at a thread shows.
  subscript(number: Int32) -> ThreadLook? { threads.first { $0.number == number } }

  /// The same look without some threads.
  func ignoring(_ ignored: [Int32]) -> ThreadSnapshot {
    ThreadSnapshot(threads: threads.filter { !ignored.contains($0.number) })
  }
}

/// What a look at one thread shows.
struct ThreadLook: Equatable {
  /// The system's number of the thread.
  let number: Int32
  /// A figure that grows whenever the thread runs.
  let work: UInt64
  /// Whether the thread sleeps in the kernel, waiting to be woken.
  let isAsleep: Bool
}
