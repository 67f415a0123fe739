import Barriers
import Synchronization

enum HitCounterBenchmark {
  static let all = [
    Measurement(
      kata: "HitCounter", subject: "hits", reference: hits { HitCounter() },
      contenders: [
        Contender("NSLock", hits { GuardedCounter<FoundationLock>() }),
        Contender("Mutex", hits { GuardedCounter<StandardMutex>() }),
        Contender("pthread_rwlock", hits { GuardedCounter<ReadWriteLock>() }),
        Contender("semaphore", hits { GuardedCounter<OneUnit>() }),
        Contender("serial queue", hits { GuardedCounter<SerialQueue>() }),
        Contender("Atomic", hits { AtomicCounter() }),
      ]),
    Measurement(
      kata: "HitCounter", subject: "asking ten times for each hit",
      reference: asks { HitCounter() },
      contenders: [
        Contender("NSLock", asks { GuardedCounter<FoundationLock>() }),
        Contender("Mutex", asks { GuardedCounter<StandardMutex>() }),
        Contender("pthread_rwlock", asks { GuardedCounter<ReadWriteLock>() }),
        Contender("serial queue", asks { GuardedCounter<SerialQueue>() }),
      ]),
  ]

  private static func hits(_ make: @escaping @Sendable () -> some Counting) -> Preparation {
    { load in
      let counter = make()
      return Trial(expected: load.operations) { _ in
        for _ in 0..<load.count { _ = counter.hit() }
        return 0
      } settle: {
        counter.hits
      }
    }
  }

  private static func asks(_ make: @escaping @Sendable () -> some Counting) -> Preparation {
    { load in
      let counter = make()
      return Trial(expected: load.operations) { _ in
        var last = 0
        for _ in 0..<load.count {
          let number = counter.hit()
          for _ in 0..<10 {
            let hits = counter.hits
            // No read is below this thread's latest hit, or below an earlier read.
            if hits < number || hits < last { return -1 }
            last = hits
          }
        }
        return 0
      } settle: {
        counter.hits
      }
    }
  }
}

/// Counts hits.
private protocol Counting: Sendable {
  func hit() -> Int
  var hits: Int { get }
}

extension HitCounter: Counting {}

/// Loads, adds one and stores, under any exclusion.
private final class GuardedCounter<Guard: Exclusion>: Counting {
  // Safe: guarded by `exclusion`.
  private nonisolated(unsafe) var memory = 0
  private let exclusion = Guard()

  func hit() -> Int {
    exclusion.alone {
      memory += 1
      return memory
    }
  }

  var hits: Int { exclusion.together { memory } }
}

/// An atomic addition.
private final class AtomicCounter: Counting {
  private let number = Atomic(0)

  func hit() -> Int { number.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }

  var hits: Int { number.load(ordering: .sequentiallyConsistent) }
}
