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
/// - The steps run one after another, each with what the step before it in the same pipeline has
///   made.
/// - No operation blocks to wait for another, so a queue of width one can run any number of
///   pipelines.
/// - If the download or a step fails, the steps after it aren't called, and the result is its
///   error, as it was thrown.
/// - If `cancel()` is called, steps that haven't begun aren't called, and the result is
///   ``DownloadError/cancelled``.
/// - A step that has begun when `cancel()` is called goes on: if it saves the picture, the result
///   is its file; if it throws, the result is that error.
/// - If operations are cancelled in the queue, without `cancel()`, operations of the pipeline that
///   are already running still finish.
/// - A pipeline that was started goes on to its end, even if the caller doesn't retain it.
/// - Soon after a pipeline is over, only the caller retains it, and nothing but the pipeline
///   retains its operations or its steps.
///
/// The error of a failed download is a ``DownloadError``. If operations are cancelled in the queue,
/// `completion` may never be called.
///
/// Source: "Defining a Custom Operation Object" in Apple's Concurrency Programming Guide.
///
/// Your turn: create the operations, make each depend on the one before it, pass on what each step
/// produces, and report the result to the caller.
///
/// - The download is a `DownloadOperation`; use the finished one,
///   `AsyncOperations.DownloadOperation`. Its errors have the type `AsyncOperations.DownloadError`,
///   and so does the error for `cancel()`. Your own `DownloadError`, if you have built it, is
///   another type.
/// - The other steps are operations that call `steps.decode`, `steps.filter` and `steps.save`, in
///   this order. They may run on different threads: guard the state that they share.
/// - A dependency only has to finish, not to succeed: a step after a failure starts anyway, and
///   must do nothing.
/// - Call `completion` in one place, when the pipeline has ended, on every path.
/// - Foundation on Linux doesn't retain the dependents of an operation, and its queues release a
///   cancelled step even if the step's dependency hasn't finished. So let something retain each
///   step until its dependency has finished.
public final class ImagePipeline: Sendable {
  /// What the steps after the download do; each may be replaced.
  public struct Steps: Sendable {
    /// Makes a picture from the data that came.
    public var decode: @Sendable (Data) throws -> RGBImage
    /// Filters the picture.
    public var filter: @Sendable (RGBImage) throws -> RGBImage
    /// Writes the picture to a file.
    public var save: @Sendable (RGBImage, URL) throws -> Void

    /// Creates steps.
    ///
    /// - Steps that are left out decode and save PPM files, and apply a tilt-shift.
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

  /// Creates a pipeline, to be started with `start(on:completion:)`.
  ///
  /// - Nothing is sent before the pipeline is started.
  /// - The download requests the complete `url`, with its query, and is made by `session` itself.
  /// - The steps that are called are those in `steps`, and `file` is the file that the filtered
  ///   picture is saved to.
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

  /// Starts the pipeline.
  ///
  /// - `start` adds the pipeline's operations to `queue` and returns without waiting for them.
  /// - Unless operations are cancelled in the queue, `completion` is called once, on every path,
  ///   when the pipeline is over, on a thread of `queue`, with the file or the error.
  ///
  /// The caller must call it only once.
  ///
  /// - Parameters:
  ///   - queue: Runs the steps; it may be of any width, and shared.
  ///   - completion: Receives the result.
  public func start(
    on queue: OperationQueue, completion: @escaping @Sendable (Result<URL, any Error>) -> Void
  ) {
    // TODO: Write this.
    completion(.success(file))
  }

  /// Asks the pipeline to stop.
  ///
  /// - `cancel()` cancels the download, and returns at once, even if a step is under way.
  /// - If the download or a step has failed, or the pipeline is over, `cancel()` has no effect.
  /// - `cancel()` may be called on any thread at any time, also while a step runs or `completion`
  ///   is called, without a data race.
  public func cancel() {
    // TODO: Write this.
  }
}
