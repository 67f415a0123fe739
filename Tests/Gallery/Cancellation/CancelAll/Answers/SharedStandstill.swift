import Foundation
import Synchronization

// A right answer: calls that overlap share an object, and the queue stands still as long as any of
// them holds it. Each call has a queue of its own for the notice.

extension OperationQueue {
  public func cancelAll(
    noticeQueue: DispatchQueue, onEmpty: @escaping @Sendable () -> Void
  ) {
    withExtendedLifetime(Standstill.of(self)) {
      let leaving = operations
      for operation in leaving.reversed() { operation.cancel() }
      let line = OperationQueue()
      let notice = BlockOperation {
        withExtendedLifetime(line) { noticeQueue.async(execute: onEmpty) }
      }
      for operation in leaving {
        keep(operation)
        notice.addDependency(operation)
      }
      line.addOperation(notice)
    }
  }
}

private struct Standstills {
  struct Entry {
    weak var standstill: Standstill?
    let number: Int
  }

  var entries: [ObjectIdentifier: Entry] = [:]
  var count = 0
}

private let standstills = Mutex(Standstills())

private final class Standstill: Sendable {
  private let queue: OperationQueue
  private let number: Int

  private init(of queue: OperationQueue, number: Int) {
    self.queue = queue
    self.number = number
  }

  deinit {
    standstills.withLock { all in
      // If there has been another call since, it has a standstill of its own.
      guard all.entries[ObjectIdentifier(queue)]?.number == number else { return }
      all.entries[ObjectIdentifier(queue)] = nil
      queue.isSuspended = false
    }
  }

  static func of(_ queue: OperationQueue) -> Standstill {
    standstills.withLock { all in
      if let standstill = all.entries[ObjectIdentifier(queue)]?.standstill { return standstill }
      all.count += 1
      let standstill = Standstill(of: queue, number: all.count)
      all.entries[ObjectIdentifier(queue)] = .init(standstill: standstill, number: all.count)
      queue.isSuspended = true
      return standstill
    }
  }
}

// On Linux an operation doesn't retain what depends on it: a keeper for each does, until that has finished.
private let keepers = OperationQueue()

private func keep(_ operation: Operation) {
  for dependency in operation.dependencies {
    let keeper = BlockOperation { withExtendedLifetime(operation) {} }
    keeper.addDependency(dependency)
    keepers.addOperation(keeper)
  }
}
