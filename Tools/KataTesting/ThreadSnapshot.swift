/// What a look at one thread shows.
struct ThreadLook: Equatable {
  /// A figure that grows whenever the thread runs.
  var work: UInt64
  /// Whether the thread sleeps in the kernel, waiting to be woken.
  var isAsleep: Bool
}

extension ThreadSnapshot {
  /// Whether every thread but the caller's sleeps.
  var allAsleep: Bool { threads.values.allSatisfy(\.isAsleep) }

  /// The same look without some threads.
  func ignoring(_ ignored: Set<Int32>) -> ThreadSnapshot {
    var rest = self
    for thread in ignored { rest.threads[thread] = nil }
    return rest
  }
}
