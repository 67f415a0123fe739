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
    eventually("The filter was never asked for row 0.") { timeline.isInside("row 0") }
    // Whoever asks for isCancelled every so often sleeps in between, and that is quiet too.
    for _ in 1...50 where !operation.isFinished { runUntilQuiet() }
    let isFinished = operation.isFinished
    #expect(
      !isFinished,
      timeline.showing(
        """
        The operation was cancelled in row 0, which was still being computed, and the operation had \
        finished: whoever waited for its end goes on while the filter is at work. main() returns when \
        no row is under way any more.
        """))
    release.open()
    eventually("The operation was cancelled, row 0 is done, but it never finished.") {
      operation.isFinished
    }
    runUntilQuiet()
    let output = operation.outputImage
    #expect(output == nil, "The operation was cancelled while it ran, and has an output.")
  }

  // operation            spec
  // enters row 0
  //                      cancels (in the filter, on the operation's own thread)
  // leaves row 0
  // no further row
  @Test func `cancelled in a row, it computes no further one`() {
    let height = 100
    let tall = RGBImage(width: 1, height: height) { _, y in RGB(grey: UInt8(y)) }
    let counter = RowCounter(height: height)
    let button = RedButton()
    let operation = TiltShiftOperation(image: tall) { row, image in
      if counter.begin(row) == 1, row == 0 {
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
      The operation was cancelled while it computed row 0, and \(counter.begunTooLate) more of \
      \(height) rows were begun: a person who has scrolled on still pays for them. Look at \
      isCancelled before each row.
      """)
    #expect(
      operation.outputImage == nil,
      "The operation was cancelled while it ran, and has an output all the same.")
  }

  @Test func `cancelled in its last row, it has no output`() {
    let counter = RowCounter(height: small.height)
    let button = RedButton()
    let operation = TiltShiftOperation(image: small) { row, image in
      counter.begin(row)
      if counter.begun == image.height { button.press() }
      return image.row(row)
    }
    button.cancels(operation)
    guard finishes(operation) else { return }
    #expect(
      operation.outputImage == nil,
      """
      The operation was cancelled while it computed the last row, and kept its output. Whoever \
      cancels doesn't want it: look at isCancelled once more when the rows are done.
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
      The operation was cancelled while it waited in its queue, and never finished: the queue and \
      everything that depends on it wait for ever. Leave start() as it is; it sees to that.
      """
    ) { operation.isFinished }
    #expect(
      counter.begun == 0,
      """
      The operation was cancelled before its queue started it, and computed \(counter.begun) rows \
      all the same.
      """)
    #expect(operation.outputImage == nil, "The operation was cancelled, and has an output.")
  }

  @Test func `a cancel that comes too late changes nothing`() {
    let operation = TiltShiftOperation(image: small) { row, image in image.row(row) }
    guard finishes(operation) else { return }
    operation.cancel()
    #expect(
      operation.outputImage == small,
      """
      The operation had finished when it was cancelled; its output must stay. cancel() only asks: \
      leave it as it is and let main() look at isCancelled.
      """)
  }

  // The reader begins when row 0 does; from then on nothing orders its reads and the write. It goes
  // on until it has seen the output, since Thread Sanitizer tells of an unguarded one every time
  // where the read comes after the write. The pause sets its pace (anything that waited for the
  // write would order the two); however long it is, a right answer passes.
  @Test func `the output may be read while it is kept`() throws {
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
    // A thread that is only just starting would take locks that the operation's thread took before.
    eventually("The reader never came to its gate.") { started.waiting == 1 }
    let isFinished = finishes(operation)
    // Without an output the filter may never have been called, and the reader still waits. With one
    // the gate stays untouched: its lock would put the reader behind the write.
    if !isFinished || operation.outputImage == nil { started.open() }
    let seen = try reader.result(timersInPlay: true)
    #expect(
      seen == nil || seen == small,
      "Another thread read the output as it was being kept, and saw a picture half done.")
  }
}
