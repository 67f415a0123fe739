import AsyncOperations
import Foundation
import Images

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One operation whose work is the whole pipeline: the steps run when the download has ended.
public final class ImagePipeline: @unchecked Sendable {  // Safe: guarded by `lock`.
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
  private let lock = NSLock()
  private var isStopped = false

  public init(from url: URL, to file: URL, session: URLSession = .shared, steps: Steps = Steps()) {
    self.file = file
    self.steps = steps
    download = AsyncOperations.DownloadOperation(url: url, session: session)
  }

  public func start(
    on queue: OperationQueue, completion: @escaping @Sendable (Result<URL, any Error>) -> Void
  ) {
    let work = BlockOperation { [self] in completion(Result { try finish() }) }
    work.addDependency(download)
    // On Linux an operation doesn't retain its dependents: this one does, until it has finished.
    let keeper = BlockOperation { withExtendedLifetime(work) {} }
    keeper.addDependency(download)
    keepers.addOperation(keeper)
    queue.addOperation(work)
    queue.addOperation(download)
  }

  public func cancel() {
    lock.withLock { isStopped = true }
    download.cancel()
  }

  private func finish() throws -> URL {
    let data = try download.result?.get() ?? Data()
    try goOn()
    let picture = try steps.decode(data)
    try goOn()
    let filtered = try steps.filter(picture)
    try goOn()
    try steps.save(filtered, file)
    return file
  }

  private func goOn() throws {
    if lock.withLock({ isStopped }) { throw AsyncOperations.DownloadError.cancelled }
  }
}

private let keepers = OperationQueue()
