import AsyncOperations
import Foundation
import Images
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Five operations in a chain, the last of which only reports.
public final class ImagePipeline: Sendable {
  /// What the steps after the download do; each may be replaced.
  public struct Steps: Sendable {
    /// Makes a picture from the downloaded data.
    public var decode: @Sendable (Data) throws -> RGBImage
    /// Filters the picture.
    public var filter: @Sendable (RGBImage) throws -> RGBImage
    /// Writes the picture to a file.
    public var save: @Sendable (RGBImage, URL) throws -> Void

    /// Creates steps.
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

  /// The state that the operations share; it knows none of them.
  private final class Run: Sendable {
    private struct State: Sendable {
      var picture: RGBImage?
      var error: (any Error)?
      var isCancelled = false
    }

    private let state = Mutex(State())

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Works on the picture, unless a step has failed or the pipeline is cancelled.
    func work(_ body: (RGBImage?) throws -> RGBImage?) {
      let (goesOn, picture) = state.withLock { state in
        if state.isCancelled, state.error == nil {
          state.error = AsyncOperations.DownloadError.cancelled
        }
        return (state.error == nil, state.picture)
      }
      guard goesOn else { return }
      do {
        let made = try body(picture)
        state.withLock { $0.picture = made }
      } catch {
        state.withLock { $0.error = error }
      }
    }

    func result(_ file: URL) -> Result<URL, any Error> {
      state.withLock { $0.error.map { .failure($0) } ?? .success(file) }
    }
  }

  private let file: URL
  private let steps: Steps
  private let download: AsyncOperations.DownloadOperation
  private let run = Run()

  /// Creates a pipeline.
  public init(from url: URL, to file: URL, session: URLSession = .shared, steps: Steps = Steps()) {
    self.file = file
    self.steps = steps
    download = AsyncOperations.DownloadOperation(url: url, session: session)
  }

  /// Adds the operations to a queue.
  public func start(
    on queue: OperationQueue, completion: @escaping @Sendable (Result<URL, any Error>) -> Void
  ) {
    let (run, steps, file, download) = (run, steps, file, download)
    let chain: [Operation] = [
      download,
      BlockOperation { run.work { _ in try steps.decode(try download.result?.get() ?? Data()) } },
      BlockOperation { run.work { picture in try picture.map(steps.filter) } },
      BlockOperation {
        run.work { picture in
          if let picture { try steps.save(picture, file) }
          return picture
        }
      },
      BlockOperation { completion(run.result(file)) },
    ]
    for (earlier, later) in zip(chain, chain.dropFirst()) {
      later.addDependency(earlier)
      // On Linux an operation doesn't retain its dependents: this one does, until it has finished.
      let keeper = BlockOperation { withExtendedLifetime(later) {} }
      keeper.addDependency(earlier)
      keepers.addOperation(keeper)
    }
    queue.addOperations(chain.reversed(), waitUntilFinished: false)
  }

  /// Asks the pipeline to stop.
  public func cancel() {
    if case .failure = download.result { return }
    run.cancel()
    download.cancel()
  }
}

private let keepers = OperationQueue()
