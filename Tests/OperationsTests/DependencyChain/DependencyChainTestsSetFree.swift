import Foundation
import KataTesting
import Testing

extension DependencyChainTests {
  // MARK: - Set free

  @Test func `freed, it begins though the one before it hasn't finished`() throws {
    defer { clearUp() }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try free(decrypt, from: download)
    timeline.expect(
      """
      download  ┆┄┄┄┄├───────────────────…
      decrypt             ┆┄┄┄┄┄┄┄┄┄├────…
      free                     ●  called
      """,
      """
      Decrypt was freed from the download and must begin; the download goes on. removeDependency \
      isn't enough: on Linux the operation is never ready again. Let it depend on one in between, \
      which finishes when you say so.
      """)
    #expect(
      !download.isCancelled && !decrypt.isCancelled,
      "Nobody has asked to cancel a step.")
    decrypt.end()
    download.end()
    timeline.expect(
      """
      download  ┆┄┄┄┄├────────────────────────┤
      decrypt             ┆┄┄┄┄┄┄┄┄┄├────┤
      free                     ●  called
      """, "A step that was freed runs once, also when the other has finished.")
  }

  @Test func `freed from one that was named twice, it begins`() throws {
    defer { clearUp() }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download, download])
    expectInside(["download"], "Decrypt comes after the download, which was named twice.")
    try free(decrypt, from: download)
    expectInside(
      ["download", "decrypt"],
      "The download was named twice and counts once: freed from it, decrypt has to begin.")
  }

  @Test func `freed again, it runs once`() throws {
    defer { clearUp() }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try free(decrypt, from: download)
    try free(decrypt, from: download)
    download.end()
    try free(decrypt, from: download)
    decrypt.end()
    try free(decrypt, from: download)
    #expect(
      timeline.entries(of: "decrypt") == 1,
      timeline.showing(
        """
        It was freed twice, once more when the download had finished, and again when it had run itself. \
        Where it doesn't wait any longer, nothing happens.
        """))
  }

  // Nothing but a lock of the answer's orders the two. It's tried several times: what the first one sets
  // going on other threads may put them in order.
  @Test func `two threads may free it at once`() throws {
    let steps = (1...8).map { _ in OperationWithAKnownList() }
    defer { clearUp() }
    try add(download, to: network)
    processing.isSuspended = true
    for step in steps {
      try add(step, to: processing, after: [download])
      step.noteDependencies()
      try free(step, from: tiltShift)
      try RelaxedRendezvous.meet(
        "free", { chain.free(step, from: download) }, { chain.free(step, from: download) })
      runUntilQuiet()
    }
    processing.isSuspended = false
    runUntilQuiet()
    let haveFinished = steps.allSatisfy { $0.isFinished }
    #expect(
      haveFinished,
      "Two threads have freed a step at once, eight times, and not all of the steps have run.")
  }

  @Test func `freed from one that never comes, it begins`() throws {
    defer { clearUp() }
    try add(decrypt, to: processing, after: [download])
    try free(decrypt, from: download)
    expectInside(
      ["decrypt"], "The download is in no queue at all; freed from it, this step begins.")
  }

  @Test func `freed from one, it waits for the others`() throws {
    let key = StagedOperation("key", on: timeline)
    defer { clearUp([key]) }
    try add(download, to: network)
    try add(key, to: network)
    try add(decrypt, to: processing, after: [download, key])
    try free(decrypt, from: download)
    expectInside(["download", "key"], "Decrypt was freed from the download, and needs the key.")
    key.end()
    expectInside(["download", "decrypt"], "The key is there, and it was freed from the download.")
  }

  // decrypt comes after the download and the key
  // download     key
  // leaves       stays
  // decrypt is freed from the download, twice: waits
  //              leaves
  // decrypt enters
  @Test(arguments: DownloadEnd.allCases)
  func `freed from one that has finished, it waits for the others`(moment: DownloadEnd) throws {
    let key = StagedOperation("key", on: timeline)
    defer { clearUp([key]) }
    try add(download, to: network)
    try add(key, to: network)
    if moment == .beforeAdding { download.end() }
    try add(decrypt, to: processing, after: [download, key])
    if moment == .beforeFreeing { download.end() }
    try free(decrypt, from: download)
    if moment == .afterFreeing { download.end() }
    try free(decrypt, from: download)
    expectInside(
      ["key"],
      """
      The download has finished \(moment.rawValue), and decrypt was freed from it, twice. But it needs the \
      key, which isn't there. If you count what it waits for, each dependency counts once, whether it \
      finishes or is freed.
      """)
    key.end()
    expectInside(["decrypt"], "The download and the key have finished: nothing holds decrypt up.")
  }

  @Test func `freed, it waits for room in its queue`() throws {
    defer { clearUp() }
    processing.isSuspended = true
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try free(decrypt, from: download)
    expectInside(["download"], "Its queue is suspended: being free to begin doesn't mean to begin.")
    processing.isSuspended = false
    runUntilQuiet()
    expectInside(
      ["download", "decrypt"], "Its queue runs again, and it was freed from the download.")
  }

  @Test func `who wasn't freed goes on waiting`() throws {
    let thumbnail = StagedOperation("thumbnail", on: timeline)
    defer { clearUp([thumbnail]) }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try add(thumbnail, to: processing, after: [download])
    try free(tiltShift, from: download)
    expectInside(["download"], "The step that was freed wasn't waiting: nothing may change.")
    try free(decrypt, from: download)
    expectInside(
      ["download", "decrypt"], "Only decrypt was freed; the thumbnail needs the download.")
    download.end()
    expectInside(["decrypt", "thumbnail"], "The download has finished: the thumbnail may begin.")
  }
}
