import Foundation
import GCDBasics

enum SerialLogBenchmark {
  static let all = [
    measurement("messages as they are", format: { $0 }),
    measurement("messages that take some microseconds to format", format: stamped),
  ]

  private static func measurement(
    _ subject: String, format: @escaping @Sendable (String) -> String
  ) -> Measurement {
    Measurement(
      kata: "SerialLog", subject: subject, reference: messages { SerialLog(format: format) },
      contenders: [
        Contender("NSLock", messages { GuardedLog<FoundationLock>(format) }),
        Contender("Mutex", messages { GuardedLog<StandardMutex>(format) }),
        Contender("semaphore", messages { GuardedLog<OneUnit>(format) }),
        Contender("serial queue, sync", aim: 1, messages { GuardedLog<SerialQueue>(format) }),
        Contender("barriers, async", messages { BarrierLog(format) }),
        Contender("serial OperationQueue", messages { OperationLog(format) }),
      ])
  }

  /// Some work for each message.
  private static let stamped: @Sendable (String) -> String = { message in
    "\(work(on: message.utf8.count, steps: 1_000)): \(message)"
  }

  private static func messages(_ make: @escaping @Sendable () -> some Log) -> Preparation {
    { load in
      let log = make()
      return Trial(expected: load.operations) { _ in
        for _ in 0..<load.count { log.append("launched") }
        return 0
      } settle: {
        log.entries.count { $0.hasSuffix("launched") }
      }
    }
  }
}

/// Keeps messages.
private protocol Log: Sendable {
  func append(_ message: String)
  var entries: [String] { get }
}

extension SerialLog: Log {}

/// Formats under any exclusion, while the caller waits.
private final class GuardedLog<Guard: Exclusion>: Log {
  // Safe: guarded by `exclusion`.
  private nonisolated(unsafe) var lines: [String] = []
  private let exclusion = Guard()
  private let format: @Sendable (String) -> String

  init(_ format: @escaping @Sendable (String) -> String) {
    self.format = format
  }

  func append(_ message: String) {
    exclusion.alone { lines.append(format(message)) }
  }

  var entries: [String] { exclusion.alone { lines } }
}

/// A concurrent queue on which each message is a barrier.
private final class BarrierLog: Log {
  // Safe: touched on `queue` only, and changed there only behind a barrier.
  private nonisolated(unsafe) var lines: [String] = []
  private let queue = DispatchQueue(label: "benchmarks.barrier-log", attributes: .concurrent)
  private let format: @Sendable (String) -> String

  init(_ format: @escaping @Sendable (String) -> String) {
    self.format = format
  }

  func append(_ message: String) {
    queue.async(flags: .barrier) { [self] in lines.append(format(message)) }
  }

  var entries: [String] { queue.sync { lines } }
}

/// An operation for each message.
private final class OperationLog: Log {
  // Safe: touched only in operations of `queue`, whose limit is one, or when it's empty.
  private nonisolated(unsafe) var lines: [String] = []
  private let queue = OperationQueue()
  private let format: @Sendable (String) -> String

  init(_ format: @escaping @Sendable (String) -> String) {
    self.format = format
    queue.maxConcurrentOperationCount = 1
  }

  func append(_ message: String) {
    queue.addOperation { [self] in lines.append(format(message)) }
  }

  var entries: [String] {
    queue.waitUntilAllOperationsAreFinished()
    return lines
  }
}
