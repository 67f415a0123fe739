import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CooperativeLoopTests {
  // MARK: - The largest count

  @Test func `the largest count has a last chunk`() throws {
    let chunks = LockedValue<[Range<Int>]>([])
    let loop = CooperativeLoop(count: .max, chunkSize: .max - 1) { items in
      chunks.append(items)
      return 0
    }
    try mustReturn("start()") { loop.start() }
    eventually("The loop was started, and never finishes.") { loop.isFinished }
    #expect(
      chunks.value == [0..<Int.max - 1, Int.max - 1..<Int.max],
      """
      The loop has Int.max items, in chunks of one less. The second chunk must be the last item, \
      and the chunks were \(chunks.value). A sum that is more than Int.max traps: compare what is \
      left with the size of a chunk.
      """)
  }

  // MARK: - Read while it works

  @Test func `the result can be read while a chunk runs`() throws {
    let release = Gate("release chunk 2")
    let run = try parkedRun(inChunk: 2, until: release)
    #expect(
      try result(of: run) == CooperativeLoopRun.result(after: 1),
      """
      Chunk 1 has ended and chunk 2 runs. A reader must get the result of chunk 1 now: its three \
      items, marked as incomplete. Keep the result after each chunk.
      """)
    release.open()
    try expectEnd(of: run)
  }

  @Test func `a chunk may ask the loop for its result`() throws {
    let own = LockedValue<CooperativeLoop?>(nil)
    let seen = LockedValue<[String]>([])
    let run = CooperativeLoopRun(on: timeline) { chunk in
      if let loop = own.value { seen.append("\(loop.result.itemCount) items in chunk \(chunk)") }
    }
    own.set(run.loop)
    defer { own.set(nil) }
    try mustReturn(
      "start()", "A chunk reads the loop's result: hold no lock while the chunk runs."
    ) { run.loop.start() }
    try expectEnd(of: run)
    #expect(
      seen.value == (1...4).map { "\(($0 - 1) * 3) items in chunk \($0)" },
      "Each chunk read what the chunks before it had done, and got \(seen.value).")
  }

  // loop          reader
  // chunk 1 ends
  // keeps its result
  // chunk 2       reads it: only a lock of the answer orders the two
  @Test func `the result can be read by another thread`() throws {
    // Several times: the first meeting of two threads may be ordered by the runtime's own locks.
    for _ in 1...4 {
      let meeting = RelaxedRendezvous()
      let run = CooperativeLoopRun(on: Timeline()) { chunk in if chunk == 2 { meeting.changed() } }
      let reader = meeting.looker("result") { run.loop.result }
      let worker = TestThread("start()") { run.loop.start() }
      let result = try reader.result(timersInPlay: true)
      try worker.result(timersInPlay: true)
      guard comesToItsEnd(run), meeting.didMeet else { continue }
      #expect(
        result == CooperativeLoopRun.result(after: 1),
        "Another thread read the result while chunk 2 ran, and didn't get the result of chunk 1.")
    }
  }

  // loop          canceller
  // chunk 1
  //               cancels: only a lock of the answer orders the two
  // ends
  @Test func `it can be cancelled by another thread`() throws {
    for _ in 1...4 {
      let meeting = RelaxedRendezvous()
      let begun = Gate("chunk 1 begins")
      let release = Gate("release the canceller")
      let run = CooperativeLoopRun(on: Timeline()) { chunk in
        guard chunk == 1 else { return }
        begun.open()
        meeting.look {}
      }
      let worker = TestThread("start()") { run.loop.start() }
      // The canceller lives on until the loop has checked, or the sanitizer would forget it.
      let canceller = TestThread("cancel()") {
        begun.wait()
        run.loop.cancel()
        meeting.changed()
        release.wait()
      }
      try worker.result(timersInPlay: true)
      let hasEnded = comesToItsEnd(run)
      release.open()
      try canceller.result()
      guard hasEnded, meeting.didMeet else { continue }
      #expect(
        try result(of: run) == CooperativeLoopRun.result(after: 1),
        "Another thread cancelled the loop during chunk 1, and it went on.")
    }
  }

  /// Waits for a loop at which two threads meet, and which may go on when its `start()` has
  /// returned.
  private func comesToItsEnd(_ run: CooperativeLoopRun) -> Bool {
    eventually("The loop has nothing left to do, and it never finishes.", timersInPlay: true) {
      run.loop.isFinished
    }
  }
}
