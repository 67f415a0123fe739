import Dispatch

/// A kind of queue to hand in; other code uses it as well.
enum HandedInQueue: String, CaseIterable, Sendable {
  case global, concurrent, serial

  /// The kinds on which blocks run side by side.
  static let wide: [HandedInQueue] = [.global, .concurrent]
  /// The kinds that aren't the system's, and so can be marked and suspended.
  static let own: [HandedInQueue] = [.concurrent, .serial]

  /// The system's queue, or a new one.
  func make() -> DispatchQueue {
    switch self {
    case .global: .global()
    case .concurrent: DispatchQueue(label: "katas.spec.handed-in", attributes: .concurrent)
    case .serial: DispatchQueue(label: "katas.spec.handed-in")
    }
  }

  /// "a global queue".
  var description: String { "a \(rawValue) queue" }
}

/// A store under the readers–writers rules.
protocol RuledScopedStore: ReadersWritersStore {
  var store: ScopedStore<Int> { get }
}

extension RuledScopedStore {
  func readInside(_ body: () -> Void) {
    store.read { _ in body() }
  }

  func writeInside(_ body: @escaping @Sendable () -> Void) {
    store.update { _ in body() }
  }
}

/// On a global queue.
struct RuledStoreOnGlobal: RuledScopedStore {
  let store = ScopedStore(0, on: HandedInQueue.global.make())
}

/// On a concurrent queue that was handed in.
struct RuledStoreOnConcurrent: RuledScopedStore {
  let store = ScopedStore(0, on: HandedInQueue.concurrent.make())
}
