import KataTesting

/// Holds the first thread that comes, until the gate opens; others pass.
final class CancelRaceHold: Sendable, OpaqueMirror {
  let gate: Gate
  private let arrivals = SharedCounter()

  init(_ name: String) {
    gate = Gate(name)
  }

  func pass() {
    if arrivals.increment() == 1 { gate.wait() }
  }

  /// The same; on the timeline `who` is inside while it's held.
  func pass(_ who: String, on timeline: Timeline) {
    if arrivals.increment() == 1 { timeline.visit(who, until: gate) }
  }
}
