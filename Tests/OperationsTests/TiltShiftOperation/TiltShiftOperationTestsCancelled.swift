import Foundation
import Images
import KataTesting
import Testing

extension TiltShiftOperationTests {
  // MARK: - Cancelled

  // operation            spec
  // enters row 0, is cancelled, stays
  //                      the operation hasn't finished
  // leaves row 0
  // finishes
  @Test func `cancelled in a row, it finishes when that row is done`() {
    let release = Gate("release row 0")
    let button = RedButton()
    let operation = TiltShiftOperation(image: small) { [timeline] row, image in
      if row == 0 {
        button.press()
        timeline.visit("row 0", until: release)
      }
      return image.row(row)
    }
    button.cancels(operation)
    queue.addOperation(operation)
    eventually("The filter was never called for row 0.") { timeline.isInside("row 0") }
    // An answer that polls isCancelled sleeps in between, and the process is quiet then too.
    for _ in 1...50 where !operation.isFinished { runUntilQuiet() }
    let isFinished = operation.isFinished
    #expect(
      !isFinished,
      timeline.showing(
        """
        The operation was cancelled in row 0, and it finished while that row was still being \
        computed. It must not finish before the filter has returned. Let main() return only when \
        no row is being computed.
        """))
    release.open()
    eventually(
      """
      The operation was cancelled, the filter has returned row 0, and the operation never \
      finished.
      """
    ) {
      operation.isFinished
    }
    runUntilQuiet()
    let output = operation.outputImage
    #expect(output == nil, "The operation was cancelled while it ran, so outputImage must be nil.")
  }

  // main()'s thread      other threads, if there are any
  // is in a row          are in rows
  //                      (the operation is cancelled)
  // leaves its row
  //                      are still in theirs: the operation hasn't finished
  @Test func `cancelled, it finishes when every thread has left its row`() throws {
    let (ownRow, otherRows) = (Gate("release main()'s thread"), Gate("release the other threads"))
    let starter = ThreadMark()
    let operation = TiltShiftOperation(image: small) { [timeline] row, image in
      let gate = starter.isCurrent ? ownRow : otherRows
      timeline.visit(starter.isCurrent ? "own row" : "row \(row)", until: gate)
      return image.row(row)
    }
    let thread = TestThread("start()") {
      starter.note()
      operation.start()
    }
    eventually("The filter was never called.") { ownRow.waiting + otherRows.waiting > 0 }
    runUntilQuiet()
    operation.cancel()
    ownRow.open()
    // An answer that polls isCancelled sleeps in between, and the process is quiet then too.
    for _ in 1...50 where !operation.isFinished { runUntilQuiet() }
    #expect(
      !operation.isFinished || otherRows.waiting == 0,
      timeline.showing(
        """
        The operation was cancelled while several threads computed rows, and it finished when \
        main()'s own thread had left its row, while others were still in theirs. It must not \
        finish before the filter has returned on every thread: wait for all of them in main().
        """))
    otherRows.open()
    try thread.result()
    #expect(
      operation.isFinished,
      "The operation was cancelled, start() has returned, and it hasn't finished.")
  }

  // operation            spec
  // enters the chosen row
  //                      cancels (in the filter, on the operation's own thread)
  // leaves that row
  // no further row
  @Test(arguments: zip([0, 1, 321], [100, 1_000, 1_000]))
  func `cancelled in a row, it computes no further one`(chosen: Int, height: Int) {
    let tall = RGBImage(width: 1, height: height) { _, y in RGB(grey: UInt8(y % 256)) }
    let counter = RowCounter(height: height)
    let button = RedButton()
    let operation = TiltShiftOperation(image: tall) { row, image in
      if counter.begin(row) == 1, row == chosen {
        button.press()
        counter.noteCancelled()
      }
      return image.row(row)
    }
    button.cancels(operation)
    guard finishes(operation) else { return }
    #expect(
      counter.begunTooLateForSure == 0,
      """
      The operation was cancelled while it computed row \(chosen), and \(counter.begunTooLate) \
      more of \(height) rows were begun. It must begin no further row. Check isCancelled before \
      each row.
      """)
    #expect(
      operation.outputImage == nil,
      """
      The operation was cancelled while it ran, so outputImage must be nil: don't store the rows \
      made so far.
      """)
  }

  @Test(arguments: [1, 2, 7]) func `cancelled in its last row, it has no output`(height: Int) {
    let picture = RGBImage(rows: (0..<height).map { [RGB(UInt8($0), 2, 3)] })
    let counter = RowCounter(height: height)
    let button = RedButton()
    let operation = TiltShiftOperation(image: picture) { row, image in
      counter.begin(row)
      if counter.begun == image.height { button.press() }
      return image.row(row)
    }
    button.cancels(operation)
    guard finishes(operation) else { return }
    #expect(
      operation.outputImage == nil,
      """
      The operation was cancelled while it computed the last row of \(height), and it has an \
      output. outputImage must be nil then. Check isCancelled once more before the output is stored.
      """)
  }

  @Test func `cancelled before its start, it computes nothing`() {
    let counter = RowCounter(height: small.height)
    let operation = TiltShiftOperation(image: small) { row, image in
      counter.begin(row)
      return image.row(row)
    }
    queue.isSuspended = true
    queue.addOperation(operation)
    operation.cancel()
    queue.isSuspended = false
    eventually(
      """
      The operation was cancelled while it waited in its queue, and it never finished: its \
      dependents would wait for ever. Leave start() as it is: it finishes a cancelled operation.
      """
    ) { operation.isFinished }
    #expect(
      counter.begun == 0,
      """
      The operation was cancelled before its queue started it, and it computed \(counter.begun) \
      rows. It must compute none.
      """)
    #expect(
      operation.outputImage == nil,
      "The operation was cancelled before its start, so outputImage must be nil.")
  }

  @Test func `a cancel after the end changes nothing`() {
    let operation = TiltShiftOperation(image: small) { row, image in image.row(row) }
    guard finishes(operation) else { return }
    operation.cancel()
    #expect(
      operation.outputImage == small,
      """
      The operation was cancelled after it had finished, and its output is gone. It must keep its \
      output. Don't override cancel(); check isCancelled in main().
      """)
  }

  // The reader begins when row 0 does; from then on nothing orders its reads and the write. It
  // reads until it has seen the output: if an unguarded read comes after the write, Thread
  // Sanitizer reports it every time. The pause sets the pace, since waiting for the write would
  // order the two. A right answer passes, however long the pause is.
  @Test func `the output may be read while it is stored`() throws {
    let started = Gate("row 0 has begun")
    let operation = TiltShiftOperation(image: small) { row, image in
      if row == 0 { started.open() }
      return image.row(row)
    }
    let reader = TestThread("outputImage, read from another thread,") {
      started.wait()
      for _ in 0..<5000 {
        if let output = operation.outputImage { return Optional(output) }
        usleep(100)
      }
      return nil
    }
    // A thread that is just starting would take locks that the operation's thread took before.
    eventually("The reader never reached its gate.") { started.waiting == 1 }
    let isFinished = finishes(operation)
    // Without an output the filter may never have been called, and then the reader still waits.
    // With an output the gate must not be touched: its lock would order the reader after the write.
    if !isFinished || operation.outputImage == nil { started.open() }
    let seen = try reader.result(timersInPlay: true)
    #expect(
      seen == nil || seen == small,
      "Another thread read the output while it was stored, and the picture wasn't complete.")
  }
}
