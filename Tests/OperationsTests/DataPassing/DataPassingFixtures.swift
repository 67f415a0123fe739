import Foundation
import Images
import KataTesting
import Testing

/// A provider of the spec's own: its result is `content`, as soon as it has run.
// Safe: `hasRun` is guarded by a lock, and the rest never changes.
final class ShelfOperation: Operation, ImageProvider, @unchecked Sendable {
  private let content: Result<RGBImage, any Error>?
  private let cancelsItself: Bool
  private let whenAsked: @Sendable () -> Void
  private let hasRun = LockedValue(false)

  init(
    _ name: String, _ content: Result<RGBImage, any Error>?, cancelsItself: Bool = false,
    whenAsked: @escaping @Sendable () -> Void = {}
  ) {
    self.content = content
    self.cancelsItself = cancelsItself
    self.whenAsked = whenAsked
    super.init()
    self.name = name
  }

  var imageResult: Result<RGBImage, any Error>? {
    whenAsked()
    return hasRun.value ? content : nil
  }

  override func main() {
    if cancelsItself { cancel() }
    hasRun.set(true)
  }
}

/// An operation that has a picture, but doesn't conform to `ImageProvider`.
// Safe: never changes after `init`.
final class DrawerOperation: Operation, @unchecked Sendable {
  let imageResult: Result<RGBImage, any Error>? = .success(RGBImage(rows: [[RGB(grey: 1)]]))
}

/// An error of a provider or a filter.
enum DarkroomError: Error, Equatable {
  case lightLeak, outOfPaper
}

/// The pictures of the spec.
enum Darkroom {
  /// No two channels are equal.
  static let picture = RGBImage(rows: [[RGB(0, 10, 200), RGB(1, 11, 201)]])
  /// The same, with its channels rotated once: blue comes first, then red, then green.
  static let turned = RGBImage(rows: [[RGB(200, 0, 10), RGB(201, 1, 11)]])
  /// The same, with its channels rotated twice.
  static let turnedTwice = RGBImage(rows: [[RGB(10, 200, 0), RGB(11, 201, 1)]])
  /// Another picture.
  static let other = RGBImage(rows: [[RGB(1, 2, 3)]])

  static func turn(_ image: RGBImage) -> RGBImage {
    RGBImage(
      width: image.width, height: image.height,
      pixels: image.pixels.map { RGB($0.blue, $0.red, $0.green) })
  }
}

// MARK: - Moves

extension DataPassingTests {
  /// A filter operation with a name that counts the calls of its filter and rotates the channels.
  func filter(
    _ name: String = "filter", input: RGBImage? = nil, after dependencies: [Operation] = []
  ) -> ImageFilterOperation {
    let operation = ImageFilterOperation(input: input) { [calls] image in
      calls.increment()
      return Darkroom.turn(image)
    }
    operation.name = name
    for dependency in dependencies { operation.addDependency(dependency) }
    return operation
  }

  /// Lets the queue run operations until they have finished; records an issue if they never do.
  func run(
    _ operations: [Operation], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    queue.addOperations(operations, waitUntilFinished: false)
    try require(operations, sourceLocation: sourceLocation)
  }

  /// Waits until operations have finished, and until their observers have been notified.
  func require(
    _ operations: [Operation], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(
      eventually(
        """
        An operation never finishes, although all its dependencies have. It must finish even \
        without a picture. Override main() and nothing else, and let it return: a result that \
        isn't there now never arrives.
        """, sourceLocation: sourceLocation
      ) { operations.allSatisfy(\.isFinished) })
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  func expect(
    _ operation: ImageFilterOperation, has image: RGBImage, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      (try? operation.imageResult?.get()) == image,
      "\(sentence) Its result is \(text(operation.imageResult)).", sourceLocation: sourceLocation)
  }

  /// Expects that an operation has failed with `error`, without a call of its filter.
  func expect<Reason: Error & Equatable>(
    _ operation: ImageFilterOperation, failsWith error: Reason, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      failure(of: operation) as? Reason == error,
      """
      \(sentence) The result of \(operation.name ?? "the operation") is \
      \(text(operation.imageResult)), and must be the error \(error).
      """, sourceLocation: sourceLocation)
    #expect(
      calls.value == 0,
      "There was no picture to filter, and a filter was called. It must not be called then.",
      sourceLocation: sourceLocation)
  }

  /// The error of an operation that has failed, or nil.
  func failure(of operation: ImageFilterOperation) -> (any Error)? {
    if case .failure(let error) = operation.imageResult { error } else { nil }
  }

  /// A result as text.
  func text(_ result: Result<RGBImage, any Error>?) -> String {
    switch result {
    case nil: "nil"
    case .success(let image): "\(image)"
    case .failure(let error): "the error \(error)"
    }
  }
}
