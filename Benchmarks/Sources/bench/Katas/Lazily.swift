import Foundation
import GCDBasics
import Synchronization

enum LazilyBenchmark {
  static let all = [
    Measurement(
      kata: "Lazily", subject: "asking for what was computed", reference: asks { Lazily { 1 } },
      contenders: [
        Contender("NSLock, held while computing", aim: 1, asks { GuardedValue<FoundationLock>() }),
        Contender("Mutex, held while computing", aim: 1, asks { GuardedValue<StandardMutex>() }),
        Contender("serial queue", aim: 1, asks { GuardedValue<SerialQueue>() }),
        Contender("Atomic flag before an NSLock", asks { FlaggedValue() }),
        Contender("static let", asks { Static() }),
      ])
  ]

  private static func asks(_ make: @escaping @Sendable () -> some Lazy) -> Preparation {
    { load in
      let lazy = make()
      return Trial(expected: load.operations) { _ in
        var sum = 0
        for _ in 0..<load.count { sum += (try? lazy.value) ?? -1_000_000 }
        return sum
      }
    }
  }
}

/// Has the value 1, once it was computed.
private protocol Lazy: Sendable {
  var value: Int { get throws }
}

extension Lazily<Int>: Lazy {}

/// Computes inside the exclusion.
private final class GuardedValue<Guard: Exclusion>: Lazy {
  // Safe: guarded by `exclusion`.
  private nonisolated(unsafe) var computed: Int?
  private let exclusion = Guard()
  private let compute: @Sendable () throws -> Int = { 1 }

  var value: Int {
    get throws {
      try exclusion.alone {
        if let computed { return computed }
        let value = try compute()
        computed = value
        return value
      }
    }
  }
}

/// Checks an atomic flag before it takes the lock.
private final class FlaggedValue: Lazy {
  // Safe: set with `lock` held before `isThere` is true, and read when it is.
  private nonisolated(unsafe) var computed = 0
  private let isThere = Atomic(false)
  private let lock = NSLock()
  private let compute: @Sendable () throws -> Int = { 1 }

  // Called each time, like the others, and not hoisted out of a loop.
  var value: Int {
    @inline(never) get throws {
      if isThere.load(ordering: .acquiring) { return computed }
      return try lock.withLock {
        if !isThere.load(ordering: .relaxed) {
          computed = try compute()
          isThere.store(true, ordering: .releasing)
        }
        return computed
      }
    }
  }
}

/// The language's own; for a singleton whose initialization can't fail.
private struct Static: Lazy {
  private static let computed = Int.random(in: 1...1)

  var value: Int {
    @inline(never) get { Self.computed }
  }
}
