import AsyncOperations
import Foundation
import Images

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A pipeline of operations: download a picture, decode it, tilt-shift it, save it.
///
/// Your turn: make the operations, make each depend on the one before it, hand on what comes of each,
/// and tell the caller how it ended.
///
/// - The download is a `DownloadOperation`; use the finished one, `AsyncOperations.DownloadOperation`.
///   The other steps are operations that call `steps.decode`, `steps.filter` and `steps.save`, in this
///   order, each with what the one before it has made.
/// - No operation waits for another by blocking: a queue of width one must do for five pipelines.
/// - The first step that fails ends the pipeline. The steps after it aren't called, and `completion`
///   gets its error as it is: the `DownloadError` of a download, or whatever a step has thrown.
/// - `completion` is called once, when all is over, on every path.
/// - `cancel()` cancels the download; the steps that haven't begun aren't called, and the result is
///   `DownloadError.cancelled`. A picture that is being saved by then is saved.
/// - When it's over, nothing keeps the pipeline, its operations or its steps alive.
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
  ///   - session: The session that loads it.
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
  ///   - completion: Called once when the pipeline is over, on a thread of `queue`, with the file or
  ///     the error of the step that failed.
  public func start(
    on queue: OperationQueue, completion: @escaping @Sendable (Result<URL, any Error>) -> Void
  ) {
    // Your turn.
    completion(.success(file))
  }

  /// Asks the pipeline to stop.
  ///
  /// Returns at once. Has no effect on one that is over.
  public func cancel() {
    // Your turn.
  }
}
