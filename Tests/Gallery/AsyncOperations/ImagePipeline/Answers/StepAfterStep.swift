import AsyncOperations
import Foundation
import Images

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Each operation adds the next one to the queue when it has ended.
// Safe: `isCancelled` is used on `gate` alone.
public final class ImagePipeline: @unchecked Sendable {
  /// What the steps after the download do; each may be replaced.
  public struct Steps: Sendable {
    /// Makes a picture from the downloaded data.
    public var decode: @Sendable (Data) throws -> RGBImage
    /// Filters the picture.
    public var filter: @Sendable (RGBImage) throws -> RGBImage
    /// Writes the picture to a file.
    public var save: @Sendable (RGBImage, URL) throws -> Void

    /// Creates steps; the default steps decode and save PPM files, and apply a tilt-shift.
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
  private let gate = DispatchQueue(label: "org.concurrency-katas.pipeline")
  private var isCancelled = false

  public init(from url: URL, to file: URL, session: URLSession = .shared, steps: Steps = Steps()) {
    self.file = file
    self.steps = steps
    download = AsyncOperations.DownloadOperation(url: url, session: session)
  }

  public func start(
    on queue: OperationQueue, completion: @escaping @Sendable (Result<URL, any Error>) -> Void
  ) {
    let (steps, file, download) = (steps, file, download)
    download.completionBlock = { [self, weak download] in
      // Foundation retains the block, which retains this pipeline, which retains the download.
      defer { download?.completionBlock = nil }
      guard let result = download?.result else { return completion(.failure(CancellationError())) }
      next(on: queue, completion) {
        try steps.decode(try result.get())
      } then: { picture in
        self.next(on: queue, completion) {
          try steps.filter(picture)
        } then: { filtered in
          self.next(on: queue, completion) {
            try steps.save(filtered, file)
          } then: { _ in
            completion(.success(file))
          }
        }
      }
    }
    queue.addOperation(download)
  }

  private func next<Value>(
    on queue: OperationQueue, _ completion: @escaping @Sendable (Result<URL, any Error>) -> Void,
    _ body: @escaping @Sendable () throws -> Value,
    then continuation: @escaping @Sendable (Value) -> Void
  ) {
    queue.addOperation { [self] in
      guard !gate.sync(execute: { isCancelled }) else {
        return completion(.failure(AsyncOperations.DownloadError.cancelled))
      }
      switch Result(catching: body) {
      case .success(let value): continuation(value)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  public func cancel() {
    if case .failure = download.result { return }
    gate.sync { isCancelled = true }
    download.cancel()
  }
}
