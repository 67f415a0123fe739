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
  /// Swift's own pool has a thread for each core and never one more.
  case strictPool = "strict pool"
  /// The monotonic clock says something else: the machine has been up for months.
  case otherClock = "other clock"

  /// How many busy loops run beside it.
  var busyLoops: Int { self == .load ? 16 : 0 }

  /// How many specs run side by side.
  var specsAtOnce: Int { self == .idle ? 1 : 4 }

  /// The words before a program's own by which it's started so; nil where this machine has no way.
  var launcher: [String]? {
    switch self {
    case .idle, .load, .strictPool: []
    case .oneCore: Toolchain.pinning
    case .smallStacks: ["/bin/sh", "-c", "ulimit -s 512 && exec \"$0\" \"$@\""]
    case .otherClock: Self.clockShift
    }
  }

  /// The variables that a program sees.
  var environment: [String: String] {
    self == .strictPool ? ["LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"] : [:]
  }

  /// Source: unshare(1), time_namespaces(7).
  private static let clockShift: [String]? = {
    guard let unshare = Toolchain.find("unshare") else { return nil }
    let months = "10000000"
    let ways = [[], ["--user", "--map-root-user"]].map {
      [unshare] + $0 + ["--time", "--monotonic", months, "--boottime", months]
    }
    return ways.first { way in
      let process = ChildProcess(
        way[0], way.dropFirst() + ["true"], in: URL(filePath: "/"), mayLeaveOthers: false)
      guard (try? process.start()) != nil else { return false }
      return process.waitForEnd() == .exited(0)
    }
  }()
}
