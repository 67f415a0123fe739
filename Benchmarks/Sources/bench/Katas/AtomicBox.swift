import Barriers

enum AtomicBoxBenchmark {
  static let all = [
    Measurement(
      kata: "AtomicBox", subject: "updates of a number", reference: updates { AtomicBox(0) },
      contenders: [
        Contender("NSLock", updates { GuardedBox<Int, FoundationLock>(0) }),
        Contender("Mutex", updates { GuardedBox<Int, StandardMutex>(0) }),
        Contender("pthread_rwlock", updates { GuardedBox<Int, ReadWriteLock>(0) }),
        Contender("semaphore", updates { GuardedBox<Int, OneUnit>(0) }),
        Contender("serial queue", updates { GuardedBox<Int, SerialQueue>(0) }),
      ]),
    Measurement(
      kata: "AtomicBox", subject: "asking for a number", reference: values { AtomicBox(1) },
      contenders: [
        Contender("NSLock", values { GuardedBox<Int, FoundationLock>(1) }),
        Contender("Mutex", values { GuardedBox<Int, StandardMutex>(1) }),
        Contender("pthread_rwlock", values { GuardedBox<Int, ReadWriteLock>(1) }),
        Contender("serial queue", values { GuardedBox<Int, SerialQueue>(1) }),
      ]),
    Measurement(
      kata: "AtomicBox", subject: "changing one of a thousand numbers in an array",
      reference: elements { AtomicBox(thousand) },
      contenders: [
        Contender("NSLock, in place", elements { GuardedBox<[Int], FoundationLock>(thousand) }),
        Contender(
          "barrier queue, in place", elements { GuardedBox<[Int], BarrierQueue>(thousand) }),
      ]),
  ]

  private static let thousand = Array(repeating: 0, count: 1_000)

  private static func updates(_ make: @escaping @Sendable () -> some Box<Int>) -> Preparation {
    { load in
      let box = make()
      return Trial(expected: load.operations) { _ in
        for _ in 0..<load.count { box.update { $0 += 1 } }
        return 0
      } settle: {
        box.value
      }
    }
  }

  private static func values(_ make: @escaping @Sendable () -> some Box<Int>) -> Preparation {
    { load in
      let box = make()
      return Trial(expected: load.operations) { _ in
        var sum = 0
        for _ in 0..<load.count { sum += box.value }
        return sum
      }
    }
  }

  private static func elements(_ make: @escaping @Sendable () -> some Box<[Int]>) -> Preparation {
    { load in
      let box = make()
      return Trial(expected: load.operations) { thread in
        for number in 0..<load.count { box.update { $0[(thread + number) % 1_000] += 1 } }
        return 0
      } settle: {
        box.value.reduce(0, +)
      }
    }
  }
}

/// Holds a value that is changed as a whole.
private protocol Box<Value>: Sendable {
  associatedtype Value: Sendable
  var value: Value { get }
  func update<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result
}

extension AtomicBox: Box {}

/// Changes its value in place, under any exclusion; a body that throws leaves its change half done.
private final class GuardedBox<Value: Sendable, Guard: Exclusion>: Box {
  // Safe: guarded by `exclusion`.
  private nonisolated(unsafe) var stored: Value
  private let exclusion = Guard()

  init(_ value: Value) {
    stored = value
  }

  var value: Value { exclusion.together { stored } }

  func update<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try exclusion.alone { try body(&stored) }
  }
}
