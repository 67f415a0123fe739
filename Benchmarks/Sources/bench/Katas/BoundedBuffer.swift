import Foundation
import GroupsSemaphores

enum BoundedBufferBenchmark {
  static let all = [
    measurement("an element in and out, room for one", capacity: 1),
    measurement("an element in and out, room for 64", capacity: 64),
  ]

  private static func measurement(_ subject: String, capacity: Int) -> Measurement {
    Measurement(
      kata: "BoundedBuffer", subject: subject,
      reference: elements { BoundedBuffer(capacity: capacity) },
      contenders: [
        Contender("NSCondition", elements { ConditionBuffer(capacity: capacity) }),
        Contender("two conditions", elements { TwoConditionBuffer(capacity: capacity) }),
        Contender("looking every so often", aim: 1, elements { PollingBuffer(capacity: capacity) }),
      ])
  }

  /// A single thread puts and takes by turns; of several, every other one puts, and the rest take.
  private static func elements(_ make: @escaping @Sendable () -> some Buffer) -> Preparation {
    { load in
      let buffer = make()
      return Trial(expected: load.operations) { thread in
        var sum = 0
        if load.threads == 1 {
          for _ in 0..<load.count {
            buffer.put(1)
            sum += buffer.take() ?? -1_000_000
          }
        } else if thread.isMultiple(of: 2) {
          for _ in 0..<2 * load.count { buffer.put(1) }
        } else {
          for _ in 0..<2 * load.count { sum += buffer.take() ?? -1_000_000 }
        }
        return sum
      }
    }
  }
}

/// Passes elements on.
private protocol Buffer: Sendable {
  @discardableResult func put(_ element: Int) -> Bool
  func take() -> Int?
}

extension BoundedBuffer<Int>: Buffer {}

/// One condition variable for all waiting threads, so each change wakes all of them.
private final class ConditionBuffer: Buffer {
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var places: Places
  private let condition = NSCondition()

  init(capacity: Int) {
    places = Places(capacity: capacity)
  }

  func put(_ element: Int) -> Bool {
    condition.withLock {
      while places.isFull { condition.wait() }
      places.append(element)
      condition.broadcast()
      return true
    }
  }

  func take() -> Int? {
    condition.withLock {
      while places.isEmpty { condition.wait() }
      condition.broadcast()
      return places.removeFirst()
    }
  }
}

/// One condition variable for producers and one for consumers, so each change wakes one thread.
private final class TwoConditionBuffer: Buffer {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var places: Places
  // Safe: initialized once, and made to be used by several threads.
  private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // Safe: as above.
  private nonisolated(unsafe) let free = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)
  private nonisolated(unsafe) let filled: UnsafeMutablePointer<pthread_cond_t>  // Safe: as above.

  init(capacity: Int) {
    places = Places(capacity: capacity)
    filled = free + 1
    pthread_mutex_init(lock, nil)
    pthread_cond_init(free, nil)
    pthread_cond_init(filled, nil)
  }

  deinit {
    pthread_cond_destroy(filled)
    pthread_cond_destroy(free)
    pthread_mutex_destroy(lock)
    lock.deallocate()
    free.deallocate()
  }

  func put(_ element: Int) -> Bool {
    pthread_mutex_lock(lock)
    while places.isFull { pthread_cond_wait(free, lock) }
    places.append(element)
    pthread_mutex_unlock(lock)
    pthread_cond_signal(filled)
    return true
  }

  func take() -> Int? {
    pthread_mutex_lock(lock)
    while places.isEmpty { pthread_cond_wait(filled, lock) }
    let element = places.removeFirst()
    pthread_mutex_unlock(lock)
    pthread_cond_signal(free)
    return element
  }
}

/// Busy waiting with pauses: checks for an element, sleeps a little, and checks again.
private final class PollingBuffer: Buffer {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var places: Places
  private let lock = NSLock()

  init(capacity: Int) {
    places = Places(capacity: capacity)
  }

  func put(_ element: Int) -> Bool {
    while !lock.withLock({
      if places.isFull { return false }
      places.append(element)
      return true
    }) { usleep(100) }
    return true
  }

  func take() -> Int? {
    while true {
      if let element = lock.withLock({ places.isEmpty ? nil : places.removeFirst() }) {
        return element
      }
      usleep(100)
    }
  }
}

/// A ring buffer.
private struct Places {
  private var elements: [Int]
  private var first = 0
  private var count = 0

  init(capacity: Int) {
    elements = Array(repeating: 0, count: capacity)
  }

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == elements.count }

  mutating func append(_ element: Int) {
    elements[(first + count) % elements.count] = element
    count += 1
  }

  mutating func removeFirst() -> Int {
    defer {
      first = (first + 1) % elements.count
      count -= 1
    }
    return elements[first]
  }
}
