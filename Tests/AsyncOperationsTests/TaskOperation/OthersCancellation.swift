import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An error which says that something was cancelled, though nobody has cancelled the operation.
enum OthersCancellation: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case request = "a request of its own was cancelled"
  case user = "a person has answered a question of the work's with Cancel"
  case call = "a system call was interrupted"
  case order = "an order was cancelled that the work was about"

  /// An error of somebody's own that is called like that of tasks.
  private struct CancellationError: Error {}

  /// What was cancelled, in words.
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
