// Page: make page KATA=DataPassing (Docs/ConcurrencyKatas.docc/DataPassing.md)

import Foundation
import Images

/// An operation that has a picture for those that depend on it.
public protocol ImageProvider: Operation {
  /// The picture, or why there is none; nil until that is known, and for ever where it was cancelled
  /// first.
  ///
  /// Whoever depends on the operation asks for it when the operation has finished, from any thread.
  var imageResult: Result<RGBImage, any Error>? { get }
}

/// Why an operation has no picture to work on.
///
/// A provider without a name goes by its type.
public enum ImageInputError: Error, Equatable {
  /// It was given none, and nothing that it depends on provides one.
  case noProvider
  /// Nobody can tell which picture is meant: so many of those that it depends on provide one.
  case severalProviders(Int)
  /// The provider of this name was cancelled before it had a picture.
  case providerWasCancelled(String)
  /// The provider of this name has finished with neither a picture nor a reason.
  case providerHasNothing(String)
}

/// An operation that filters the picture of the operation that it depends on.
///
/// Operations are strung together by dependencies alone; the picture finds its way by itself.
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
/// **Where the picture comes from.** One that was given to `init` wins, and then nobody is asked.
/// Otherwise it comes from the one dependency that is an ``ImageProvider``, of whatever class,
/// among however many others; what those depend on themselves doesn't count. It's looked for when
/// the operation runs: until then dependencies may come and go, and nobody has a picture yet.
///
/// **Where there is none,** the filter isn't called, and the operation finishes with the reason as its
/// own ``imageResult``. A provider's error is passed on as it is, so the last operation of a chain
/// knows what went wrong in the first. Nothing waits for a picture that won't come.
///
/// Cancelled before it's done, it has no result. Whoever depends on it runs all the same, as with any
/// operation, and is told ``ImageInputError/providerWasCancelled(_:)``.
///
/// Your turn: override `main()`, and nothing else of `Operation`.
///
/// - Find the input. `dependencies` has them all, providers or not, and `as? any ImageProvider` tells
///   which is which. Ask when `main()` runs: then they have finished.
/// - There may be no provider, or two, and a provider may come without a picture. Each has its error,
///   and each ends as a result of this operation: `Result { try … }` makes one of whatever a closure
///   returns or throws.
/// - Keep the result, unless the operation was cancelled meanwhile.
///
/// Source: "Managing Dependencies" in Apple's documentation of `Operation`; the image providers of
/// raywenderlich.com's concurrency course.
public final class ImageFilterOperation: Operation, ImageProvider, @unchecked Sendable {
  // Safe: `given` and `filter` never change.
  // TODO: What you add for the result is read on other threads while `main()` runs here. Guard it
  // (NSLock's `withLock` will do), and say so in the lines above: the compiler takes your word.

  /// Makes a picture of a picture.
  public typealias Filter = @Sendable (RGBImage) throws -> RGBImage

  private let given: RGBImage?
  private let filter: Filter

  /// Creates an operation that will call `filter` once, on the thread that it runs on.
  ///
  /// - Parameters:
  ///   - input: The picture to filter; nil for that of the operation that it depends on.
  ///   - filter: Makes the picture. What it throws becomes the result.
  public init(input: RGBImage? = nil, filter: @escaping Filter) {
    given = input
    self.filter = filter
  }

  /// The filtered picture, or why there is none; nil until it is done, and for ever where it was
  /// cancelled first.
  ///
  /// A cancel that comes later changes nothing.
  /// Safe to read from every thread at any time, also while the filter is at work; doesn't wait.
  public var imageResult: Result<RGBImage, any Error>? {
    // TODO: Return what main() has put there.
    nil
  }

  /// Finds the picture and filters it.
  ///
  /// Called by `start()`, never where the operation was cancelled before.
  public override func main() {
    // TODO: Find the picture: `given`, or that of the one provider among `dependencies`. Call
    // `filter` with it, and keep what comes of it as the result.
  }
}
