import Foundation
import KataTesting
import Testing

extension DependencyChainTests {
  // MARK: - Freed

  @Test func `freed, it begins before its dependency has finished`() throws {
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
      decrypt was freed from the download: it must begin, and the download must go on. \
      removeDependency isn't enough, because on Linux the operation would never be ready. Put an \
      operation of your own between the two, which finishes when you decide.
      """)
    #expect(
      !download.isCancelled && !decrypt.isCancelled,
      "A step was cancelled, and the caller hasn't cancelled any.")
    decrypt.end()
    download.end()
    timeline.expect(
      """
      download  ┆┄┄┄┄├────────────────────────┤
      decrypt             ┆┄┄┄┄┄┄┄┄┄├────┤
      free                     ●  called
      """, "A step that was freed must run once, even when its dependency has finished too.")
  }

  @Test func `freed from a dependency that was named twice, it begins`() throws {
    defer { clearUp() }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download, download])
    expectInside(["download"], "decrypt waits for the download, which was named twice.")
    try free(decrypt, from: download)
    expectInside(
      ["download", "decrypt"],
      "The download was named twice and counts once: freed from it, decrypt must begin.")
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
        decrypt was freed twice, again when the download had finished, and again when it had run \
        itself. It must run once. If it doesn't wait any more, free must do nothing.
        """))
  }

  // Only the answer's lock orders the two calls. They are repeated: work that the first call starts
  // on other threads may order the two.
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
      "Two threads freed a step at once, eight times, and some of the steps haven't run.")
  }

  @Test func `freed from a dependency that is in no queue, it begins`() throws {
    defer { clearUp() }
    try add(decrypt, to: processing, after: [download])
    try free(decrypt, from: download)
    expectInside(
      ["decrypt"], "The download is in no queue; freed from it, this step must begin.")
  }

  // An operation may get the address of one that is gone.
  @Test func `freed operations that are gone don't change what later ones wait for`() throws {
    defer { clearUp() }
    try add(download, to: network)
    for number in 1...20 {
      let hasBegun = LockedValue(false)
      let operation = BlockOperation { hasBegun.set(true) }
      try add(operation, to: processing, after: [download])
      #expect(
        !hasBegun.value,
        """
        One operation after another was added, freed from the download, and released when it had \
        finished. Operation \(number) began before it was freed. A new operation may have the \
        address of one that is gone, so a table by addresses must forget it in time.
        """)
      guard !hasBegun.value else { return }
      try free(operation, from: download)
      eventually("Operation \(number) was freed from the download, and never ran.") {
        operation.isFinished
      }
    }
  }

  @Test func `freed from one dependency, it waits for the others`() throws {
    let key = StagedOperation("key", on: timeline)
    defer { clearUp([key]) }
    try add(download, to: network)
    try add(key, to: network)
    try add(decrypt, to: processing, after: [download, key])
    try free(decrypt, from: download)
    expectInside(
      ["download", "key"],
      "decrypt was freed from the download, and still waits for the key.")
    key.end()
    expectInside(
      ["download", "decrypt"],
      "The key has finished, and decrypt was freed from the download.")
  }

  // decrypt comes after the download and the key
  // download     key
  // leaves       stays
  // decrypt is freed from the download, twice: waits
  //              leaves
  // decrypt enters
  @Test(arguments: DownloadEnd.allCases)
  func `freed from a dependency that has finished, it waits for the others`(moment: DownloadEnd)
    throws
  {
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
      The download has finished \(moment.rawValue), and decrypt was freed from it, twice. But it \
      still has to wait for the key. If you count dependencies, count each once, whether it \
      finishes or is freed.
      """)
    key.end()
    expectInside(["decrypt"], "The download and the key have finished, so decrypt must begin.")
  }

  @Test func `freed, it waits for room in its queue`() throws {
    defer { clearUp() }
    processing.isSuspended = true
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try free(decrypt, from: download)
    expectInside(
      ["download"],
      "decrypt was freed, but its queue is suspended, and it has to wait for its place.")
    processing.isSuspended = false
    runUntilQuiet()
    expectInside(
      ["download", "decrypt"], "Its queue was resumed, and decrypt was freed from the download.")
  }

  @Test func `an operation that wasn't freed goes on waiting`() throws {
    let thumbnail = StagedOperation("thumbnail", on: timeline)
    defer { clearUp([thumbnail]) }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try add(thumbnail, to: processing, after: [download])
    try free(tiltShift, from: download)
    expectInside(["download"], "The step that was freed wasn't waiting, so nothing may change.")
    try free(decrypt, from: download)
    expectInside(
      ["download", "decrypt"],
      "Only decrypt was freed; the thumbnail still waits for the download.")
    download.end()
    expectInside(
      ["decrypt", "thumbnail"],
      "The download has finished, so the thumbnail must begin.")
  }
}
