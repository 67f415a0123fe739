import Foundation

/// How much memory and how many threads a run of a spec may use, with all that it starts.
///
/// No spec comes near these limits; an answer that reaches them is out of control.
package struct ResourceLimits: Sendable {
  /// Resident memory in bytes.
  var memory: Int
  var threads: Int

  /// The limits on this machine.
  ///
  /// Thread Sanitizer keeps several bytes of its own for each byte in use.
  init(sanitized: Bool, machineMemory: UInt64 = ProcessInfo.processInfo.physicalMemory) {
    let machine = Int(clamping: machineMemory)
    memory =
      sanitized
      ? min(4 * Self.memoryOfPlainRun, machine / 4 * 3) : min(Self.memoryOfPlainRun, machine / 2)
    threads = 2_000
  }

  /// The limits of one run among several at once, which together mustn't fill the machine.
  package init(
    sanitized: Bool, oneOf runs: Int,
    machineMemory: UInt64 = ProcessInfo.processInfo.physicalMemory
  ) {
    self.init(sanitized: sanitized, machineMemory: machineMemory)
    memory = min(memory, max(256 << 20, Int(clamping: machineMemory) / 4 * 3 / runs))
  }

  private static let memoryOfPlainRun = 4 << 30

  /// Why these processes, taken together, must be killed; nil if they needn't be.
  func excess(of processes: [ProcessStatus]) -> String? {
    if processes.reduce(0, { $0 + $1.residentBytes }) > memory {
      return """
        It used more than \(gigabytes) GB of memory and was killed: look for something that grows, or \
        calls itself, without end.
        """
    }
    if processes.reduce(0, { $0 + $1.threads }) > threads {
      return """
        It started more than \(threads.formatted(.number.locale(Locale(identifier: "en_US")))) \
        threads and was killed: look for a loop that starts one after another, or for blocks that \
        all wait while more of them are submitted.
        """
    }
    return nil
  }

  private var gigabytes: String {
    let tenths = (memory * 10) >> 30
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
