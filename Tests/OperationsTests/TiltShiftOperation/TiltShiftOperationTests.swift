import Foundation
import Images
import KataTesting
import Testing

/// Proves that the output is made of the input's rows, each filtered once; that no thread sees it
/// before it's complete; and that a cancel stops the operation at the next row, without an output.
@Suite(.serialized, .kata) struct TiltShiftOperationTests {
  let queue = OperationQueue()
  let timeline = Timeline()

  /// Four rows of two pixels; no two rows are alike.
  let small = RGBImage(rows: [
    [RGB(0, 10, 200), RGB(1, 11, 201)],
    [RGB(20, 30, 180), RGB(21, 31, 181)],
    [RGB(40, 50, 160), RGB(41, 51, 161)],
    [RGB(60, 70, 140), RGB(61, 71, 141)],
  ])

  @Test func `the output is made of the filtered rows`() throws {
    let operation = TiltShiftOperation(image: small) { row, image in
      image.row(row).map { RGB($0.blue, $0.red, $0.green) }
    }
    guard finishes(operation) else { return }
    let output = try #require(
      operation.outputImage,
      """
      The operation has run and finished, and outputImage is nil. It must be the filtered picture. \
      Override main(): call the filter for each row of inputImage, and store the picture that the \
      rows make.
      """)
    // By hand: blue comes first, then red, then green.
    let expected = RGBImage(rows: [
      [RGB(200, 0, 10), RGB(201, 1, 11)],
      [RGB(180, 20, 30), RGB(181, 21, 31)],
      [RGB(160, 40, 50), RGB(161, 41, 51)],
      [RGB(140, 60, 70), RGB(141, 61, 71)],
    ])
    #expect(
      output == expected,
      """
      The output isn't made of the rows that the filter returned. Row n must be what it returned \
      for row n, and there must be as many rows as in the input, from top to bottom.
      """)
    #expect(
      operation.inputImage == small,
      """
      inputImage isn't the picture any more that the operation was created with. It must never \
      change.
      """)
  }

  @Test func `a picture of one row is filtered too`() {
    let row = RGBImage(rows: [[RGB(1, 2, 3), RGB(4, 5, 6)]])
    let operation = TiltShiftOperation(image: row) { row, image in
      image.row(row).map { RGB($0.blue, $0.red, $0.green) }
    }
    guard finishes(operation) else { return }
    #expect(
      operation.outputImage == RGBImage(rows: [[RGB(3, 1, 2), RGB(6, 4, 5)]]),
      """
      A picture has a single row, and the output isn't what the filter returned. Filter it like \
      any other: its row is both the first and the last.
      """)
  }

  // In one column all pixels in a row of the square are equal, so the means go down the column. Of
  // seven rows the middle third is rows 2 to 4; beside it the radius is 1, and then 2. If a square
  // reaches over the edge, the pixel at the edge is used instead:
  //
  //   row 0   (250 + 250 + 250 + 100 + 40) / 5 = 178;
  //   row 1               (250 + 100 + 40) / 3 = 130;
  //   row 5                 (10 + 60 + 30) / 3 = 33.3;
  //   row 6       (10 + 60 + 30 + 30 + 30) / 5 = 32
  @Test func `the default filter is the tilt-shift`() {
    let column = RGBImage(rows: [250, 100, 40, 0, 10, 60, 30].map { [RGB(grey: $0)] })
    let operation = TiltShiftOperation(image: column)
    guard finishes(operation) else { return }
    let expected = RGBImage(rows: [178, 130, 40, 0, 10, 33, 32].map { [RGB(grey: $0)] })
    #expect(
      operation.outputImage == expected,
      """
      A column of seven greys was filtered without a filter of the caller's, and the output isn't \
      the tilt-shift. By default each row must be that of TiltShift(), computed from the input \
      image alone.
      """)
  }

  @Test func `the filter always sees the input`() {
    let changed = RowCounter(height: small.height)
    let operation = TiltShiftOperation(image: small) { [small] row, image in
      if image != small { changed.begin(row) }
      return image.row(row).map { RGB(grey: $0.red) }
    }
    guard finishes(operation) else { return }
    #expect(
      changed.begun == 0,
      """
      For row \(changed.counts.firstIndex(of: 1) ?? 0) the filter received a picture that isn't \
      the input: it has rows that were filtered before, and these would be blurred twice. Always \
      pass inputImage to the filter, and collect the rows elsewhere.
      """)
  }

  @Test func `each row is computed once`() {
    let height = 10_000
    let tall = RGBImage(width: 1, height: height) { _, y in RGB(grey: UInt8(y % 256)) }
    let counter = RowCounter(height: height)
    let button = RedButton()
    let operation = TiltShiftOperation(image: tall) { row, image in
      // One row that is computed again is enough; the rest would only take long.
      if counter.begin(row) > 1 { button.press() }
      return image.row(row)
    }
    button.cancels(operation)
    guard finishes(operation) else { return }
    let counts = counter.counts
    if let again = counts.firstIndex(where: { $0 > 1 }) {
      Issue.record(
        """
        Row \(again) of \(height) was computed more than once. Twice the height must take twice as \
        long, not four times. Call the filter once for each row.
        """)
      return
    }
    if let never = counts.firstIndex(of: 0) {
      Issue.record(
        "Row \(never) of \(height) was never computed. Call the filter once for each row.")
      return
    }
    #expect(
      operation.outputImage == tall,
      "The filter returned each of \(height) rows unchanged, so the output must equal the input.")
  }

  @Test func `nothing is computed before it runs`() throws {
    let counter = RowCounter(height: small.height)
    let operation = try mustReturn("init") { [small] in
      TiltShiftOperation(image: small) { row, image in
        counter.begin(row)
        return image.row(row)
      }
    }
    runUntilQuiet()
    #expect(
      counter.begun == 0,
      """
      The operation was created, but not started, and rows were computed. Nothing may be computed \
      before the operation runs. Do the work in main().
      """)
    let early = try mustReturn(
      "outputImage, read before the operation runs,",
      "Reading it must never wait: return what has been stored so far."
    ) { operation.outputImage }
    #expect(
      early == nil,
      """
      The operation has never run, and has an output. outputImage must be nil until main() has \
      made it.
      """)
    guard finishes(operation) else { return }
    #expect(
      counter.begun == small.height,
      "The operation has finished, and some rows were never computed, or more than once.")
  }

  @Test(arguments: [3, 2, 1, 0]) func `it has no output while it runs`(held: Int) throws {
    let release = Gate("release row \(held)")
    let heldRow = held == small.height - 1 ? "The last row" : "Row \(held)"
    let operation = try mustReturn("init") { [small, timeline] in
      TiltShiftOperation(image: small) { row, image in
        if row == held { timeline.visit("row \(row)", until: release) }
        return image.row(row)
      }
    }
    queue.addOperation(operation)
    eventually("The filter was never called for row \(held).") { timeline.isInside("row \(held)") }
    runUntilQuiet()
    let early = try mustReturn(
      "outputImage, read while a row is computed,",
      "Hold no lock while the filter runs; take it only to store the output or to read it."
    ) { operation.outputImage }
    timeline.mark("output", early == nil ? "nil" : "a picture")
    timeline.expect(
      """
      row \(held)   ├─────────…
      output       ●  nil
      """,
      """
      \(heldRow) was still being computed, and another thread saw an output. outputImage must be \
      nil until all rows are computed. Collect the rows in a local variable, and store the picture \
      when it's complete.
      """)
    #expect(
      !operation.isFinished,
      timeline.showing(
        """
        \(heldRow) was still being computed, and the operation had finished: its dependents begin \
        too early. All work must be done when main() returns.
        """))
    release.open()
    eventually("\(heldRow) was computed, and the operation never finished.") {
      operation.isFinished
    }
    #expect(
      operation.outputImage == small,
      "The operation has finished, so its output must be the whole picture.")
  }

  @Test func `it is a synchronous operation`() throws {
    let operation = TiltShiftOperation(image: small) { row, image in image.row(row) }
    let isAsynchronous = operation.isAsynchronous
    #expect(
      !isAsynchronous,
      """
      isAsynchronous is true. It must be false, because the work is done when start() returns. \
      Leave isAsynchronous as it is.
      """)
    let output = try mustReturn("main") {
      operation.main()
      return operation.outputImage
    }
    #expect(
      output == small,
      """
      main() was called directly and has returned, so the work is done, and outputImage \
      \(output == nil ? "is nil" : "isn't what the filter returned"). The output must be there as \
      soon as main() has returned, even if start() was never called.
      """)
  }

  // MARK: - Fixtures

  /// Lets the queue run `operation` until it has finished; records an issue if it never does.
  func finishes(
    _ operation: TiltShiftOperation, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    queue.addOperation(operation)
    return eventually(
      """
      The queue has started the operation, and it never finished. Override main() and nothing \
      else: start() calls it, and marks the operation as finished when it returns.
      """,
      sourceLocation: sourceLocation
    ) { operation.isFinished }
  }
}
