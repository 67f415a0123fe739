import Barriers
import Foundation

enum ComputeOnceCacheBenchmark {
  static let all = [
    Measurement(
      kata: "ComputeOnceCache", subject: "asking for what is there",
      reference: hits { ComputeOnceCache() },
      contenders: [
        Contender("NSLock, held while computing", hits { GuardedCache<FoundationLock>() }),
        Contender("Mutex, held while computing", hits { GuardedCache<StandardMutex>() }),
        Contender("serial queue", hits { GuardedCache<SerialQueue>() }),
        Contender("barrier queue, looking first", hits { LookingCache<BarrierQueue>() }),
        Contender("pthread_rwlock, looking first", hits { LookingCache<ReadWriteLock>() }),
        Contender("a lock for each key", aim: 1, hits { LockPerKey() }),
        Contender("sixteen striped locks", aim: 1, hits { Stripes() }),
      ])
  ]

  private static func hits(_ make: @escaping @Sendable () -> some Cache) -> Preparation {
    { load in
      let cache = make()
      for key in 0..<keys { _ = cache.value(for: key) { key } }
      return Trial(expected: (0..<load.threads).reduce(0) { $0 + sum(of: load.count, from: $1) }) {
        thread in
        (thread..<thread + load.count).reduce(0) { sum, number in
          let key = number % keys
          return sum + cache.value(for: key) { -1_000_000 }
        }
      }
    }
  }

  private static let keys = 100

  private static func sum(of count: Int, from first: Int) -> Int {
    (first..<first + count).reduce(0) { $0 + $1 % keys }
  }
}

/// Computes a value once.
private protocol Cache: Sendable {
  func value(for key: Int, compute: () throws -> Int) rethrows -> Int
}

extension ComputeOnceCache<Int, Int>: Cache {}

/// Computes inside the exclusion, so one key at a time.
private final class GuardedCache<Guard: Exclusion>: Cache {
  // Safe: guarded by `exclusion`.
  private nonisolated(unsafe) var values: [Int: Int] = [:]
  private let exclusion = Guard()

  func value(for key: Int, compute: () throws -> Int) rethrows -> Int {
    try exclusion.alone {
      if let value = values[key] { return value }
      let value = try compute()
      values[key] = value
      return value
    }
  }
}

/// Looks values up side by side, and computes alone.
private final class LookingCache<Guard: Exclusion>: Cache {
  // Safe: guarded by `exclusion`.
  private nonisolated(unsafe) var values: [Int: Int] = [:]
  private let exclusion = Guard()

  func value(for key: Int, compute: () throws -> Int) rethrows -> Int {
    if let value = exclusion.together({ values[key] }) { return value }
    return try exclusion.alone {
      if let value = values[key] { return value }
      let value = try compute()
      values[key] = value
      return value
    }
  }
}

/// An entry for each key, whose lock is held while its value is computed.
private final class LockPerKey: Cache {
  private final class Place: Sendable {
    // Safe: guarded by `lock`.
    nonisolated(unsafe) var value: Int?
    let lock = NSLock()
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var places: [Int: Place] = [:]
  private let lock = NSLock()

  func value(for key: Int, compute: () throws -> Int) rethrows -> Int {
    let place = lock.withLock {
      if let place = places[key] { return place }
      let place = Place()
      places[key] = place
      return place
    }
    return try place.lock.withLock {
      if let value = place.value { return value }
      let value = try compute()
      place.value = value
      return value
    }
  }
}

/// Sixteen caches; the key's hash value selects one.
private final class Stripes: Cache {
  private let caches = (0..<16).map { _ in GuardedCache<FoundationLock>() }

  func value(for key: Int, compute: () throws -> Int) rethrows -> Int {
    try caches[key.hashValue & 15].value(for: key, compute: compute)
  }
}
