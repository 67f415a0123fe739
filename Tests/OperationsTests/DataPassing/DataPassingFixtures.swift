import Foundation
import Images
import KataTesting
import Testing

/// A provider of the spec's own: it has what it was made with, as soon as it has run.
// Safe: guarded by `lock`, but for what never changes.
final class ShelfOperation: Operation, ImageProvider, @unchecked Sendable {
  private let content: Result<RGBImage, any Error>?
  private let whileItRuns: @Sendable (ShelfOperation) -> Void
  private let whenAsked: @Sendable () -> Void
  private var hasRun = false
  private let lock = NSLock()

  init(
    _ name: String, _ content: Result<RGBImage, any Error>?,
    whileItRuns: @escaping @Sendable (ShelfOperation) -> Void = { _ in },
    whenAsked: @escaping @Sendable () -> Void = {}
  ) {
    self.content = content
    self.whileItRuns = whileItRuns
    self.whenAsked = whenAsked
    super.init()
    self.name = name
  }

  var imageResult: Result<RGBImage, any Error>? {
    whenAsked()
    return lock.withLock { hasRun } ? content : nil
  }

  override func main() {
    whileItRuns(self)
    lock.withLock { hasRun = true }
  }
}

/// What has a picture and provides none: it doesn't say that it's a provider.
// Safe: never changed after it was made.
final class DrawerOperation: Operation, @unchecked Sendable {
  let imageResult: Result<RGBImage, any Error>? = .success(RGBImage(rows: [[RGB(grey: 1)]]))
}

/// What goes wrong in a provider or a filter.
enum DarkroomError: Error, Equatable {
  case lightLeak, outOfPaper
}

/// The pictures of the spec.
enum Darkroom {
  /// Two rows of two pixels; no two channels are alike.
  static let picture = RGBImage(rows: [
    [RGB(0, 10, 200), RGB(1, 11, 201)],
    [RGB(20, 30, 180), RGB(21, 31, 181)],
  ])

  /// The same, turned once: blue comes first, then red, then green.
  static let turned = RGBImage(rows: [
    [RGB(200, 0, 10), RGB(201, 1, 11)],
    [RGB(180, 20, 30), RGB(181, 21, 31)],
  ])

  /// The same, turned and then inverted.
  static let turnedAndInverted = RGBImage(rows: [
    [RGB(55, 255, 245), RGB(54, 254, 244)],
    [RGB(75, 235, 225), RGB(74, 234, 224)],
  ])

  /// Another one.
  static let other = RGBImage(rows: [[RGB(1, 2, 3)]])

  static func turn(_ image: RGBImage) -> RGBImage {
    RGBImage(
      width: image.width, height: image.height,
      pixels: image.pixels.map { RGB($0.blue, $0.red, $0.green) })
  }

  static func invert(_ image: RGBImage) -> RGBImage {
    RGBImage(
      width: image.width, height: image.height,
      pixels: image.pixels.map { RGB(255 - $0.red, 255 - $0.green, 255 - $0.blue) })
  }
}

// MARK: - Moves

extension DataPassingTests {
  /// A filter operation with a name, that counts the calls of its filter and turns the colours.
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

  /// Lets the queue run operations to their end; says so where it never comes.
  func run(
    _ operations: [Operation], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    queue.addOperations(operations, waitUntilFinished: false)
    try require(operations, sourceLocation: sourceLocation)
  }

  /// Waits until operations have finished, and Foundation has told so.
  func require(
    _ operations: [Operation], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(
      eventually(
        """
        An operation never finishes, although all that it depends on has. Override main() and nothing \
        else, and let it return: what isn't there now won't come.
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
    var found: (any Error)?
    if case .failure(let error) = operation.imageResult { found = error }
    #expect(
      found as? Reason == error,
      """
      \(sentence) The result of \(operation.name ?? "the operation") must be the error \(error), and \
      is \(text(operation.imageResult)).
      """, sourceLocation: sourceLocation)
    #expect(
      calls.value == 0, "There was no picture to filter, and a filter was called all the same.",
      sourceLocation: sourceLocation)
  }

  /// Whether an operation has failed with the error that says that something was cancelled.
  func isCancellationError(_ result: Result<RGBImage, any Error>?) -> Bool {
    if case .failure(let error) = result { error is CancellationError } else { false }
  }

  /// A result in words.
  func text(_ result: Result<RGBImage, any Error>?) -> String {
    switch result {
    case nil: "nil"
    case .success(let image): "\(image)"
    case .failure(let error): "the error \(error)"
    }
  }
}
