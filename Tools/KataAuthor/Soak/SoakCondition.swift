import Foundation
import KataKit

/// The conditions in which a spec runs.
enum SoakCondition: String, CaseIterable, Codable, Sendable {
  /// The tool runs nothing else.
  case idle
  /// Sixteen busy loops beside it.
  case load
  /// Its process has one core.
  case oneCore = "one core"
  /// Threads have 512 KB of stack, as Dispatch's have on a Mac.
  case smallStacks = "512 KB stacks"
  /// Dispatch enables its strict checks.
  case strictDispatch = "strict Dispatch"
  /// Threads are delayed at random where the spec uses the library; see `TEST_DELAYS`.
  case delays = "random delays"
  /// The monotonic clock is shifted, as if the machine had been up for months.
  case otherClock = "other clock"

  /// How many busy loops run at the same time.
  var busyLoops: Int { self == .load ? 16 : 0 }

  /// How many specs run at the same time.
  var specsAtOnce: Int { self == .idle ? 1 : 4 }

  /// The words before a program's own that launch it in this condition; nil if this machine can't.
  var launcher: [String]? {
    switch self {
    case .idle, .load, .strictDispatch, .delays: []
    case .oneCore: Toolchain.pinning
    case .smallStacks: Toolchain.smallStacks
    case .otherClock: Self.clockShift
    }
  }

  /// The variables for a program in this condition.
  var environment: [String: String] {
    switch self {
    // The first is for Linux, the second for Apple's platforms.
    case .strictDispatch: ["LIBDISPATCH_STRICT": "1", "LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"]
    case .delays: Self.delayed
    default: [:]
    }
  }

  /// Delays threads by up to 25 milliseconds.
  static let delayed = ["TEST_DELAYS": "25"]

  /// Source: unshare(1), time_namespaces(7).
  private static let clockShift: [String]? = {
    guard let unshare = Toolchain.find("unshare") else { return nil }
    let months = "10000000"
    let ways = [[], ["--user", "--map-root-user"]].map {
      [unshare] + $0 + ["--time", "--monotonic", months, "--boottime", months]
    }
    return ways.first { way in
      // Some kernels don't apply it to the process itself, but only to its children.
      let trial = ["/bin/sh", "-c", "read -r up rest </proc/uptime && test ${up%.*} -ge \(months)"]
      let process = ChildProcess(
        way[0], way.dropFirst() + trial, in: URL(filePath: "/"), mayLeaveOthers: false)
      guard (try? process.start()) != nil else { return false }
      return process.waitForEnd() == .exited(0)
    }
  }()
}
