import Barriers
import Dispatch

enum PhotoStoreBenchmark {
  static let all = [
    measurement("reads of one photo", Reading(photos: 1)),
    measurement("reads of five thousand photos", Reading(photos: 5_000)),
    measurement("a change for every hundred reads of one photo", Reading(photos: 1, share: 100)),
    measurement(
      "a change for every hundred reads of five thousand photos", Reading(photos: 5_000, share: 100)
    ),
  ]

  /// How much is read in one read.
  private struct Reading {
    let photos: Int
    /// The number of reads for each change; nil for no changes.
    var share: Int?

    /// The trial of a store.
    func callAsFunction(_ make: @escaping @Sendable () -> some Store) -> Preparation {
      { load in
        let store = make()
        for _ in 0..<photos { store.add(Photo("Dawn")) }
        _ = store.read { $0.count }
        return Trial(expected: load.operations * photos) { _ in
          var sum = 0
          for number in 1...load.count {
            if let share, number.isMultiple(of: share) { store.update { $0[0] = Photo("Noon") } }
            sum += store.read { photos in
              photos.reduce(0) { $0 + ($1.name.utf8.count == 4 ? 1 : 0) }
            }
          }
          return sum
        }
      }
    }
  }

  private static func measurement(_ subject: String, _ reading: Reading) -> Measurement {
    Measurement(
      kata: "PhotoStore", subject: subject,
      reference: reading { PhotoStore(noticeQueue: notices) { _ in } },
      contenders: [
        Contender("pthread_rwlock", aim: 1, reading { GuardedStore<ReadWriteLock>() }),
        Contender("NSLock", reading { GuardedStore<FoundationLock>() }),
        Contender("Mutex", reading { GuardedStore<StandardMutex>() }),
        Contender("semaphore", reading { GuardedStore<OneUnit>() }),
        Contender("serial queue", aim: 1, reading { GuardedStore<SerialQueue>() }),
      ])
  }
}

private let notices = DispatchQueue(label: "benchmarks.notices")

/// Keeps photos.
private protocol Store: Sendable {
  func read<Result: Sendable>(_ body: ([Photo]) throws -> Result) rethrows -> Result
  func update(_ change: @escaping @Sendable (inout [Photo]) -> Void)
}

extension Store {
  fileprivate func add(_ photo: Photo) {
    update { $0.append(photo) }
  }
}

extension PhotoStore: Store {}

/// Reads and changes under any exclusion; a change blocks its caller until it's made.
private final class GuardedStore<Guard: Exclusion>: Store {
  // Safe: guarded by `exclusion`.
  private nonisolated(unsafe) var stored: [Photo] = []
  private let exclusion = Guard()
  private let onChange: @Sendable ([Photo]) -> Void = { _ in }

  func read<Result: Sendable>(_ body: ([Photo]) throws -> Result) rethrows -> Result {
    try exclusion.together { try body(stored) }
  }

  func update(_ change: @escaping @Sendable (inout [Photo]) -> Void) {
    exclusion.alone {
      change(&stored)
      let photos = stored
      notices.async { [onChange] in onChange(photos) }
    }
  }
}
