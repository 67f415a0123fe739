import Foundation
import GCDBasics

enum ReentrantQueueBenchmark {
  static let all = [
    Measurement(
      kata: "ReentrantQueue", subject: "sync", reference: turns { Marked() },
      contenders: [
        Contender("plain serial queue", turns { Unnested() }),
        Contender("the thread in its dictionary", aim: 1, turns { ThreadMarked() }),
        Contender("the thread behind a lock", aim: 1, turns { OwnedQueue() }),
        Contender("NSRecursiveLock", turns { RecursiveLock() }),
      ]),
    Measurement(
      kata: "ReentrantQueue", subject: "sync within sync", reference: nested { Marked() },
      contenders: [
        Contender("a method that needn't ask", nested { Unnested() }),
        Contender("the thread in its dictionary", aim: 1, nested { ThreadMarked() }),
        Contender("the thread behind a lock", aim: 1, nested { OwnedQueue() }),
        Contender("NSRecursiveLock", nested { RecursiveLock() }),
      ]),
  ]

  private static func turns(_ make: @escaping @Sendable () -> some Reentrant) -> Preparation {
    { load in
      let account = Account(make())
      return Trial(expected: load.operations) { _ in
        for _ in 0..<load.count { account.add() }
        return 0
      } settle: {
        account.balance
      }
    }
  }

  private static func nested(_ make: @escaping @Sendable () -> some Reentrant) -> Preparation {
    { load in
      let account = Account(make())
      return Trial(expected: load.operations) { _ in
        for _ in 0..<load.count { account.addInside() }
        return 0
      } settle: {
        account.balance
      }
    }
  }
}

/// State that is only touched on a queue.
private final class Account<Turns: Reentrant>: Sendable {
  // Safe: touched within `turns` only.
  private nonisolated(unsafe) var sum = 0
  private let turns: Turns

  init(_ turns: Turns) {
    self.turns = turns
  }

  var balance: Int { turns.sync { sum } }

  func add() { turns.sync { sum += 1 } }

  func addInside() { turns.sync { turns.again { sum += 1 } } }
}

/// Mutual exclusion that may be entered again from inside.
private protocol Reentrant: Sendable {
  func sync<Result: Sendable>(_ body: () -> Result) -> Result
  /// Runs `body`; called within `sync` only.
  func again(_ body: () -> Void)
}

extension Reentrant {
  fileprivate func again(_ body: () -> Void) { sync(body) }
}

private struct Marked: Reentrant {
  private let queue = ReentrantQueue(label: "benchmarks.reentrant")

  func sync<Result: Sendable>(_ body: () -> Result) -> Result { queue.sync(body) }
}

/// Doesn't check: a caller that is inside knows it.
private struct Unnested: Reentrant {
  private let queue = DispatchQueue(label: "benchmarks.plain")

  func sync<Result: Sendable>(_ body: () -> Result) -> Result { queue.sync(execute: body) }

  func again(_ body: () -> Void) { body() }
}

/// Marks the thread that is inside, in its dictionary.
private final class ThreadMarked: Reentrant {
  private let queue = DispatchQueue(label: "benchmarks.thread-marked")
  private let name = UUID().uuidString

  func sync<Result: Sendable>(_ body: () -> Result) -> Result {
    if Thread.current.threadDictionary[name] != nil { return body() }
    return queue.sync {
      Thread.current.threadDictionary[name] = true
      defer { Thread.current.threadDictionary[name] = nil }
      return body()
    }
  }
}

/// Stores which thread is inside.
private final class OwnedQueue: Reentrant {
  private let queue = DispatchQueue(label: "benchmarks.owned")
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var owner: Thread?
  private let lock = NSLock()

  func sync<Result: Sendable>(_ body: () -> Result) -> Result {
    if lock.withLock({ owner === Thread.current }) { return body() }
    return queue.sync {
      lock.withLock { owner = Thread.current }
      defer { lock.withLock { owner = nil } }
      return body()
    }
  }
}

private struct RecursiveLock: Reentrant {
  private let lock = NSRecursiveLock()

  func sync<Result: Sendable>(_ body: () -> Result) -> Result { lock.withLock(body) }
}
