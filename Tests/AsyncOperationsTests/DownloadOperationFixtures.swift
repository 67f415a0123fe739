import Foundation
import KataTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a download says of itself.
typealias DownloadResult = Result<Data, DownloadError>?

/// The results that were seen, in order.
final class DownloadResults: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var seen: [DownloadResult] = []
  private let lock = NSLock()

  func add(_ result: DownloadResult) { lock.withLock { seen.append(result) } }
  var all: [DownloadResult] { lock.withLock { seen } }
}

/// A session of one test, which ends with it.
final class DownloadSession: Sendable {
  let session = URLSession(configuration: .ephemeral)
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) weak var operation: Operation?

  deinit { session.invalidateAndCancel() }

  /// Remembers an operation without keeping it alive.
  func watch(_ operation: Operation) { lock.withLock { self.operation = operation } }

  /// The operation, as long as anybody keeps it alive.
  var watched: Operation? { lock.withLock { operation } }
}
