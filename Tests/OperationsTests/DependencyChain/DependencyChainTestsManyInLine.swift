import Foundation
import KataTesting
import Testing

extension DependencyChainTests {
  // MARK: - Threads, the chain and completion blocks

  @Test func `many that wait block no threads`() throws {
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
      150 operations wait for the download, and the process has \(more) more threads than before. \
      They must block no thread while they wait. Use operations that depend on others instead of \
      threads.
      """)
    runUntilQuiet()
    expectInside(["download"], "All other operations wait for the download.")
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
      The download has finished, and decrypt must begin. The caller has set the download's \
      completion block \(moment) decrypt was added: that must not matter. Let an operation of your \
      own depend on the download.
      """)
    #expect(
      calls.value == 1,
      """
      The caller has set the download's completion block \(moment) decrypt was added. It must be \
      called once, and was called \(calls.value) times. Leave completion blocks to the caller.
      """)
  }

  @Test func `a busy main thread holds up no operation`() throws {
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
      The download has finished while the main thread was busy. No operation is in the main queue, \
      so all of them must go on; the main thread may even wait for one of them. Use a queue of \
      your own.
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
      "The tilt-shift was freed from decrypt, and must begin although the main thread is busy.")
  }

  @Test func `it goes on when the chain is released`() throws {
    defer { clearUp() }
    try mustReturn("add, twice,") {
      let chain = DependencyChain()
      chain.add(decrypt, to: processing, after: [download])
      chain.add(download, to: network)
    }
    runUntilQuiet()
    expectInside(
      ["download"],
      "Two steps were added to a chain, and decrypt waits for the download.")
    download.end()
    expectInside(
      ["decrypt"],
      """
      The download has finished, and the chain was released before. The operations that were added \
      must go on: don't refer weakly to anything that only the chain retains.
      """)
  }
}
