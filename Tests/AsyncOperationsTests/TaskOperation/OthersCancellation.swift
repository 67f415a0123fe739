import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An error that reports a cancellation, though the operation wasn't cancelled.
enum OthersCancellation: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case request = "a request of its own was cancelled"
  case user = "a user has chosen Cancel in a dialog of the work"
  case call = "a system call was cancelled"
  case order = "an order that the work handled was cancelled"

  /// An unrelated error with the same name as that of tasks.
  private struct CancellationError: Error {}

  /// The cancelled thing, in words.
  var testDescription: String { rawValue }

  /// The error itself.
  var error: any Error {
    switch self {
    case .request: URLError(.cancelled)
    case .user: CocoaError(.userCancelled)
    case .call: POSIXError(.ECANCELED)
    case .order: CancellationError()
    }
  }

  /// Whether `error` is that error.
  func isIn(_ error: any Error) -> Bool {
    switch self {
    case .request: (error as? URLError)?.code == .cancelled
    case .user: (error as? CocoaError)?.code == .userCancelled
    case .call: (error as? POSIXError)?.code == .ECANCELED
    case .order: error is CancellationError
    }
  }
}
