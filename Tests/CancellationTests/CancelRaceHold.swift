import KataTesting

/// Holds the first thread that comes, until the gate opens; others pass.
final class CancelRaceHold: Sendable, OpaqueMirror {
  let gate: Gate
  private let arrivals = Counter()

  init(_ name: String) {
    gate = Gate(name)
  }

  func pass() {
    if arrivals.increment() == 1 { gate.wait() }
  }
}
