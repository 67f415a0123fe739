import Foundation
import Images
import KataTesting
import Testing

/// Proves that the output is made of the input's rows, each filtered once, that nobody sees it before it's
/// whole, and that a cancel before the end stops it at the next row and leaves no output.
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
      The operation has run and finished, but outputImage is nil. Override main(): ask the filter \
      for each row of inputImage and keep the picture that they make.
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
      Row n of the output must be what the filter returned for row n: as many rows as the input \
      has, from top to bottom.
      """)
    #expect(
      operation.inputImage == small,
      "The operation was made with a picture, and inputImage has become another one.")
  }

  @Test func `a picture of one row is filtered too`() {
    let row = RGBImage(rows: [[RGB(1, 2, 3), RGB(4, 5, 6)]])
    let operation = TiltShiftOperation(image: row) { row, image in
      image.row(row).map { RGB($0.blue, $0.red, $0.green) }
    }
    guard finishes(operation) else { return }
    #expect(
      operation.outputImage == RGBImage(rows: [[RGB(3, 1, 2), RGB(6, 4, 5)]]),
      "A picture of one row is a picture: its row is the first and the last.")
  }

  // In one column the pixels of a square's row are alike, so the means go down the column. Of seven
  // rows the middle third is rows 2 to 4; beside it the radius is 1, and then 2. Where a square
  // reaches over the edge, the pixel at the edge stands in:
  //
  //   row 0   (250 + 250 + 250 + 100 + 40) / 5 = 178
  //   row 1               (250 + 100 + 40) / 3 = 130
  //   row 5                 (10 + 60 + 30) / 3 = 33.3
  //   row 6       (10 + 60 + 30 + 30 + 30) / 5 = 32
  @Test func `the default filter is the tilt-shift`() {
    let column = RGBImage(rows: [250, 100, 40, 0, 10, 60, 30].map { [RGB(grey: $0)] })
    let operation = TiltShiftOperation(image: column)
    guard finishes(operation) else { return }
    let expected = RGBImage(rows: [178, 130, 40, 0, 10, 33, 32].map { [RGB(grey: $0)] })
    #expect(
      operation.outputImage == expected,
      """
      A column of seven greys, tilt-shifted, isn't what it should be. Where no filter is given, \
      each row must be that of TiltShift(), computed from the input image alone.
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
      For row \(changed.counts.firstIndex(of: 1) ?? 0) the filter was handed a picture that isn't \
      the input any more: rows that were already filtered stood in it, so what is blurred is \
      blurred again. Read from inputImage and write somewhere else.
      """)
  }

  @Test func `each row is computed once`() {
    let height = 10_000
    let tall = RGBImage(width: 1, height: height) { _, y in RGB(grey: UInt8(y % 256)) }
    let counter = RowCounter(height: height)
    let button = RedButton()
    let operation = TiltShiftOperation(image: tall) { row, image in
      // A row that is asked for again is enough; the rest would only take long.
      if counter.begin(row) > 1 { button.press() }
      return image.row(row)
    }
    button.cancels(operation)
    guard finishes(operation) else { return }
    let counts = counter.counts
    if let again = counts.firstIndex(where: { $0 > 1 }) {
      Issue.record(
        """
        Row \(again) of \(height) was computed again. A picture of twice the height may take twice \
        as long, not four times: compute each row once.
        """)
      return
    }
    if let never = counts.firstIndex(of: 0) {
      Issue.record("Row \(never) of \(height) was never computed; ask the filter for each row.")
      return
    }
    #expect(
      operation.outputImage == tall,
      "The filter returned each of \(height) rows as it was, so the output must equal the input.")
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
      The operation was only made, not started, and rows were computed: on the thread of whoever \
      made it. The work belongs in main(), which the queue calls.
      """)
    let early = try mustReturn(
      "outputImage, read before the operation runs,",
      "Whoever asks wants to know whether there is one: say so, and don't wait."
    ) { operation.outputImage }
    #expect(
      early == nil,
      "The operation has never run, and has an output. There is none before main() made it.")
    guard finishes(operation) else { return }
    #expect(counter.begun == small.height, "In the end each row must have been computed.")
  }

  @Test func `there is no output while it runs`() throws {
    let release = Gate("release the last row")
    let last = small.height - 1
    let operation = try mustReturn("init") { [small, timeline] in
      TiltShiftOperation(image: small) { row, image in
        if row == last { timeline.visit("row \(row)", until: release) }
        return image.row(row)
      }
    }
    queue.addOperation(operation)
    eventually("The filter was never asked for the last row.") { timeline.isInside("row \(last)") }
    runUntilQuiet()
    let early = try mustReturn(
      "outputImage, read while a row is computed,",
      "Compute without the lock; take it only to keep the output or to read it."
    ) { operation.outputImage }
    timeline.mark("output", early == nil ? "nil" : "a picture")
    timeline.expect(
      """
      row 3   ├─────────…
      output       ●  nil
      """,
      """
      The last row was still being computed, and another thread saw an output: a picture half done. Put \
      it together in a local variable and keep it when it is whole.
      """)
    #expect(
      !operation.isFinished,
      timeline.showing(
        """
        The last row was still being computed, and the operation had finished: whoever depends on it \
        runs already, without a picture. When main() returns, the work must be done.
        """))
    release.open()
    eventually("The last row was computed, but the operation never finished.") {
      operation.isFinished
    }
    #expect(operation.outputImage == small, "The operation has finished; now there is an output.")
  }

  @Test func `it is a synchronous operation`() throws {
    let operation = TiltShiftOperation(image: small) { row, image in image.row(row) }
    let isAsynchronous = operation.isAsynchronous
    #expect(
      !isAsynchronous,
      """
      The operation says that it's asynchronous: then whoever starts it by hand doesn't expect it to be \
      done when start() returns. main() does the work before it returns, so leave isAsynchronous as it \
      is.
      """)
    let output = try mustReturn("main") {
      operation.main()
      return operation.outputImage
    }
    #expect(
      output == small,
      """
      main() was called by hand and has returned, so the work is done; but outputImage \
      \(output == nil ? "is nil" : "isn't what the filter returned"). The output is there when main() \
      has kept it, whoever called that.
      """)
  }

  // MARK: - Fixtures

  /// Lets the queue run `operation` to its end; says so where it never comes.
  func finishes(
    _ operation: TiltShiftOperation, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    queue.addOperation(operation)
    return eventually(
      """
      The queue has started the operation, but it never finished. Override main() and nothing else: \
      start() calls it, and marks the operation as finished when it returns.
      """,
      sourceLocation: sourceLocation
    ) { operation.isFinished }
  }
}
