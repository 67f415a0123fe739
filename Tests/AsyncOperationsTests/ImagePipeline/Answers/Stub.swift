// Page: make page KATA=ImagePipeline (Docs/ConcurrencyKatas.docc/ImagePipeline.md)

import AsyncOperations
import Foundation
import Images

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A pipeline of operations: download a picture, decode it, tilt-shift it, save it.
///
/// ```swift
/// let pipeline = ImagePipeline(from: url, to: file)
/// pipeline.start(on: queue) { result in
///   switch result {
///   case .success(let file): print("saved in", file.path)
///   case .failure(let error): print("no picture:", error)
///   }
/// }
/// ```
///
/// The steps run one after another, each with what the one before it has made. No operation blocks
/// to wait for another, so a queue of width one is wide enough for any number of pipelines.
///
/// **Errors.** The first step that fails ends the pipeline: the steps after it aren't called, and
/// its error is the result, as it was thrown; a download's is a ``DownloadError``.
///
/// **Cancellation.** ``cancel()`` cancels the download. Steps that haven't begun aren't called, and
/// the result is ``DownloadError/cancelled``. A step that has begun goes on to its end: a picture
/// that is being saved is saved, and the result is its file; where the step throws, that error is
/// the result. Where somebody cancels the operations in the queue instead, `completion` may never
/// be called. What is under way in the pipeline then comes to its end all the same.
///
/// Nobody has to keep a pipeline that was started. Nothing keeps the pipeline, its operations or
/// its steps alive when it's over. Safe to use from every thread.
///
/// Source: "Defining a Custom Operation Object" in Apple's Concurrency Programming Guide.
///
/// Your turn: make the operations, make each depend on the one before it, hand on what comes of
/// each, and tell the caller how it ended.
///
/// - The download is a `DownloadOperation`; use the finished one,
///   `AsyncOperations.DownloadOperation`. Its errors are of the type
///   `AsyncOperations.DownloadError`, and so is the one for `cancel()`: your own `DownloadError`,
///   if you have built it, stands beside this file and is another type.
/// - The other steps are operations that call `steps.decode`, `steps.filter` and `steps.save`, in
///   this order.
/// - `completion` is called in one place, when all is over, on every path.
/// - A step that is cancelled in the queue leaves it before what it depends on finishes, and Foundation
///   on Linux doesn't retain what depends on an operation. Let something retain each step until then.
public final class ImagePipeline: Sendable {
  /// What the steps after the download do; each may be replaced.
  public struct Steps: Sendable {
    /// Makes a picture from the data that came.
    public var decode: @Sendable (Data) throws -> RGBImage
    /// Filters the picture.
    public var filter: @Sendable (RGBImage) throws -> RGBImage
    /// Writes the picture to a file.
    public var save: @Sendable (RGBImage, URL) throws -> Void

    /// Creates steps; those that are left out decode and save PPM files, and apply a tilt-shift.
    public init(
      decode: @escaping @Sendable (Data) throws -> RGBImage = { try RGBImage(ppm: $0) },
      filter: @escaping @Sendable (RGBImage) throws -> RGBImage = { image in
        let filter = TiltShift()
        return RGBImage(rows: (0..<image.height).map { filter.row($0, of: image) })
      },
      save: @escaping @Sendable (RGBImage, URL) throws -> Void = { try $0.ppm.write(to: $1) }
    ) {
      self.decode = decode
      self.filter = filter
      self.save = save
    }
  }

  private let file: URL
  private let steps: Steps
  private let download: AsyncOperations.DownloadOperation

  /// Creates a pipeline; nothing is sent before it's started.
  ///
  /// - Parameters:
  ///   - url: Where the picture is, in the PPM format.
  ///   - file: Where the filtered picture goes.
  ///   - session: The session that loads it; on Linux one without a cache, as `DownloadOperation`
  ///     says.
  ///   - steps: What is done with the data.
  public init(from url: URL, to file: URL, session: URLSession = .shared, steps: Steps = Steps()) {
    self.file = file
    self.steps = steps
    download = AsyncOperations.DownloadOperation(url: url, session: session)
  }

  /// Adds the pipeline's operations to `queue` and returns.
  ///
  /// To be called once.
  ///
  /// - Parameters:
  ///   - queue: Runs the steps; it may be of any width, and shared.
  ///   - completion: Called once when the pipeline is over, on a thread of `queue`, with the file
  ///     or the error of the step that failed.
  public func start(
    on queue: OperationQueue, completion: @escaping @Sendable (Result<URL, any Error>) -> Void
  ) {
    // TODO: Write this.
    completion(.success(file))
  }

  /// Asks the pipeline to stop.
  ///
  /// Returns at once. Has no effect on one that is over.
  public func cancel() {
    // TODO: Write this.
  }
}
