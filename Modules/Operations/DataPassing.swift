import Foundation
import Images

/// An operation that provides a picture to its dependents.
public protocol ImageProvider: Operation {
  /// The picture, or why there is none; nil until that is known.
  ///
  /// It stays nil if the operation is cancelled before that. Dependents read it, on any thread,
  /// after the operation has finished.
  var imageResult: Result<RGBImage, any Error>? { get }
}

/// The reason why an operation has no picture to work on.
///
/// - If a provider has no name, the error has the name of its type instead.
public enum ImageInputError: Error, Equatable {
  /// No picture was given, and no dependency is a provider.
  ///
  /// - `noProvider` is the reason if no picture was given and no dependency is an `ImageProvider`.
  case noProvider
  /// Several dependencies are providers, so it's unclear which picture is meant.
  ///
  /// - `severalProviders` is the reason if several dependencies are providers, even if only one of
  ///   them has a picture.
  /// - The value of `severalProviders` is the number of providers among the dependencies.
  case severalProviders(Int)
  /// The provider of this name was cancelled before it had a picture.
  ///
  /// - `providerWasCancelled` is the reason if the provider has no result and was cancelled.
  case providerWasCancelled(String)
  /// The provider of this name has finished with neither a picture nor an error.
  ///
  /// - `providerHasNothing` is the reason if the provider has no result and wasn't cancelled.
  case providerHasNothing(String)
}

/// An operation that filters the picture of the operation that it depends on.
///
/// Only dependencies connect the operations: each takes the picture of the one before it.
///
/// ```swift
/// let decode = DecodeOperation(file)  // an ImageProvider
/// let tiltShift = ImageFilterOperation { image in tiltShifted(image) }
/// let frame = ImageFilterOperation { image in framed(image) }
/// tiltShift.addDependency(decode)
/// frame.addDependency(tiltShift)
/// queue.addOperations([decode, tiltShift, frame], waitUntilFinished: false)
/// ```
///
/// - If a picture was given to `init`, it is filtered, and no provider is asked for its own.
/// - If no picture was given, it comes from the one dependency that is an `ImageProvider`, of
///   whatever class and among however many others.
/// - Only the operation's own dependencies count, not what those depend on.
/// - The operation looks for its provider and the picture when it runs: dependencies may be added
///   and removed until then.
/// - If there is no picture, the filter isn't called.
/// - If there is no picture, the operation finishes, and its own `imageResult` is the failure: an
///   `ImageInputError`, or its provider's error.
/// - A provider's error is passed on as it is, along the whole chain.
/// - The operation runs and finishes even if its provider has no picture and never will.
/// - If the operation is cancelled before its start, or while it looks for a picture or filters it,
///   it has no result, even if its filter throws.
///
/// Source: "Managing Dependencies" in Apple's documentation of `Operation`; the image providers of
/// raywenderlich.com's concurrency course.
public final class ImageFilterOperation: Operation, ImageProvider, @unchecked Sendable {
  // Safe: `given` and `filter` never change, and `finished` is guarded by `lock`.

  /// Makes a picture from a picture.
  public typealias Filter = @Sendable (RGBImage) throws -> RGBImage

  private let given: RGBImage?
  private let filter: Filter
  private var finished: Result<RGBImage, any Error>?
  private let lock = NSLock()

  /// Creates an operation that filters a picture when it runs.
  ///
  /// - `filter` is called at most once, even if it throws.
  /// - `filter` is called on the thread that runs the operation.
  /// - `filter` isn't called before the operation runs.
  /// - What `filter` throws becomes the result, even if it is a `CancellationError`.
  ///
  /// - Parameters:
  ///   - input: The picture to filter; nil to use the provider's.
  ///   - filter: Makes the picture.
  public init(input: RGBImage? = nil, filter: @escaping Filter) {
    given = input
    self.filter = filter
  }

  /// The filtered picture, or why there is none; nil until it is done.
  ///
  /// - If the operation is cancelled after it has finished, `imageResult` stays as it is.
  /// - Every thread may read `imageResult` at any time.
  /// - Reading `imageResult` waits neither for the filter nor for a provider.
  public var imageResult: Result<RGBImage, any Error>? { lock.withLock { finished } }

  /// Finds the picture and filters it.
  ///
  /// Called by `start()`, unless the operation was cancelled before.
  public override func main() {
    let result = Result { try filter(input()) }
    guard !isCancelled else { return }
    lock.withLock { finished = result }
  }

  /// The picture to filter.
  private func input() throws -> RGBImage {
    if let given { return given }
    let providers = dependencies.compactMap { $0 as? any ImageProvider }
    guard let provider = providers.first else { throw ImageInputError.noProvider }
    guard providers.count == 1 else { throw ImageInputError.severalProviders(providers.count) }
    // A picture counts even if its provider was cancelled after it was stored.
    if let result = provider.imageResult { return try result.get() }
    let name = provider.name ?? "\(type(of: provider))"
    throw provider.isCancelled
      ? ImageInputError.providerWasCancelled(name) : ImageInputError.providerHasNothing(name)
  }
}
