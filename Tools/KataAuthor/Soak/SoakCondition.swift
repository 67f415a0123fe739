import Foundation
import KataKit

/// What surrounds a run of a spec.
enum SoakCondition: String, CaseIterable, Codable, Sendable {
  /// Nothing else of ours runs.
  case idle
  /// Sixteen busy loops beside it.
  case load
  /// Its process has one core.
  case oneCore = "one core"
  /// Threads have 512 KB of stack, as Dispatch's have on a Mac.
  case smallStacks = "512 KB stacks"
  /// Dispatch is strict about what it usually forgives.
  case strictDispatch = "strict Dispatch"
  /// Threads are late, by chance, where the spec meets them; see `TEST_DELAYS`.
  case delays
  /// The monotonic clock says something else: the machine has been up for months.
  case otherClock = "other clock"

  /// How many busy loops run beside it.
  var busyLoops: Int { self == .load ? 16 : 0 }

  /// How many specs run side by side.
  var specsAtOnce: Int { self == .idle ? 1 : 4 }

  /// The words before a program's own by which it's started so; nil where this machine has no way.
  var launcher: [String]? {
    switch self {
    case .idle, .load, .strictDispatch, .delays: []
    case .oneCore: Toolchain.pinning
    case .smallStacks: Toolchain.smallStacks
    case .otherClock: Self.clockShift
    }
  }

  /// The variables that a program sees.
  var environment: [String: String] {
    switch self {
    // The first is read on Linux, the second by Apple's.
    case .strictDispatch: ["LIBDISPATCH_STRICT": "1", "LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"]
    case .delays: Self.delayed
    default: [:]
    }
  }

  /// What makes threads late by up to 25 milliseconds.
  static let delayed = ["TEST_DELAYS": "25"]

  /// Source: unshare(1), time_namespaces(7).
  private static let clockShift: [String]? = {
    guard let unshare = Toolchain.find("unshare") else { return nil }
    let months = "10000000"
    let ways = [[], ["--user", "--map-root-user"]].map {
      [unshare] + $0 + ["--time", "--monotonic", months, "--boottime", months]
    }
    return ways.first { way in
      // Not every kernel has it for the process itself, and some only for those that it starts.
      let trial = ["/bin/sh", "-c", "read -r up rest </proc/uptime && test ${up%.*} -ge \(months)"]
      let process = ChildProcess(
        way[0], way.dropFirst() + trial, in: URL(filePath: "/"), mayLeaveOthers: false)
      guard (try? process.start()) != nil else { return false }
      return process.waitForEnd() == .exited(0)
    }
  }()
}
