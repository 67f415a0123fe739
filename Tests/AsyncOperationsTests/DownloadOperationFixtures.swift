import Dispatch
import Foundation
import KataTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a download says of itself.
typealias DownloadResult = Result<Data, DownloadError>?

/// The results that were seen, in order.
final class DownloadResults: Sendable, Unreflected {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var seen: [DownloadResult] = []
  private let lock = NSLock()

  func add(_ result: DownloadResult) { lock.withLock { seen.append(result) } }
  var all: [DownloadResult] { lock.withLock { seen } }
}

/// A session of one test, which ends with it.
final class DownloadSession: Sendable, Unreflected {
  let session: URLSession
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) weak var operation: Operation?

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    // On Linux a task whose session has a cache can trap when it is cancelled while it completes.
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
  }

  // A request of a wrong answer's may still be under way. It isn't cancelled with the session, which
  // can trap as well: it ends when the server of the test is gone.
  deinit { session.finishTasksAndInvalidate() }

  /// Whether no request is under way.
  var isIdle: Bool {
    let idle = Counter()
    let isTold = DispatchSemaphore(value: 0)
    session.getAllTasks { tasks in
      if tasks.isEmpty { idle.increment() }
      isTold.signal()
    }
    isTold.wait()
    return idle.value > 0
  }

  /// Remembers an operation without keeping it alive.
  func watch(_ operation: Operation) { lock.withLock { self.operation = operation } }

  /// The operation, as long as anybody keeps it alive.
  var watched: Operation? { lock.withLock { operation } }
}
