import Foundation
import KataTesting
import Testing

extension DependencyChainTests {
  // MARK: - Many in line

  @Test func `many in line hold no threads`() throws {
    let inLine = (0..<150).map { StagedOperation("in line \($0)", on: timeline) }
    processing.maxConcurrentOperationCount = 1
    defer { clearUp(inLine) }
    try add(download, to: network)
    let before = processThreadCount() ?? 0
    try mustReturn("add, 150 times,") {
      for operation in inLine {
        chain.add(operation, to: processing, after: [download])
      }
    }
    let more = (processThreadCount() ?? 0) - before
    #expect(
      more < 75,
      """
      150 operations wait for the download, and the process has \(more) threads more than before. A \
      thread that waits costs half a megabyte and does nothing: an operation that depends on another \
      needs none.
      """)
    runUntilQuiet()
    expectInside(["download"], "Everybody else waits for the download.")
  }

  @Test(arguments: [false, true])
  func `the completion block is left to the caller`(isSetLater: Bool) throws {
    defer { clearUp() }
    let calls = SharedCounter()
    if !isSetLater { download.completionBlock = { calls.increment() } }
    try add(decrypt, to: processing, after: [download])
    if isSetLater { download.completionBlock = { calls.increment() } }
    try add(download, to: network)
    download.end()
    let moment = isSetLater ? "after" : "before"
    expectInside(
      ["decrypt"],
      """
      The download has finished. Its completion block was set by the caller, \(moment) decrypt was added, and \
      decrypt must begin whatever stands there: let an operation of your own depend on the download.
      """)
    #expect(
      calls.value == 1,
      """
      The caller gave the download a completion block, \(moment) decrypt was added. It was to be called \
      once, and was called \(calls.value) times: a property of somebody else's is no place to keep \
      something in.
      """)
  }

  @Test func `a busy main thread holds nobody up`() throws {
    let release = Gate("the main thread goes on")
    defer {
      release.open()
      clearUp()
    }
    DispatchQueue.main.async { [timeline] in timeline.visit("main thread", until: release) }
    runUntilQuiet()
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try add(tiltShift, to: processing, after: [decrypt])
    download.end()
    timeline.expect(
      """
      main thread  ├──────────────────────────────────…
      download          ┆┄┄┄┄├──────────────┤
      decrypt                     ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      tilt-shift                       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      """,
      """
      The download has finished, while the main thread was busy. None of the operations is in the main \
      queue, and perhaps the main thread waits for one of them: take a queue of your own for what opens \
      the way.
      """)
    try free(tiltShift, from: decrypt)
    timeline.expect(
      """
      main thread  ├────────────────────────────────────────────…
      download          ┆┄┄┄┄├──────────────┤
      decrypt                     ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├──────────────…
      tilt-shift                       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      free                                            ●  called
      """,
      "The tilt-shift was freed from decrypt, and must begin though the main thread is busy.")
  }

  @Test func `it goes on when nobody holds the chain`() throws {
    defer { clearUp() }
    try mustReturn("add, twice,") {
      let chain = DependencyChain()
      chain.add(decrypt, to: processing, after: [download])
      chain.add(download, to: network)
    }
    runUntilQuiet()
    expectInside(["download"], "Two steps were added to a chain, and decrypt needs the download.")
    download.end()
    expectInside(
      ["decrypt"],
      """
      The download has finished, and nobody holds the chain any more, which was made in a function. What was \
      added goes on: whatever opens the way must not go away with the chain.
      """)
  }
}
