import Foundation
import KataTesting
import Testing

extension DependencyChainTests {
  // MARK: - Kept by nothing but the chain

  // download, key       eight that come after both
  // work
  //                     are cancelled, leave their queue, and the spec doesn't keep them
  // finish
  //
  // Foundation on Linux doesn't retain them: what finishes looks for them where they were, and the process
  // crashes. Elsewhere there's nothing to see.
  @Test func `a cancelled one may go before what it comes after finishes`() throws {
    let key = StagedOperation("key", on: timeline)
    let unwanted = OperationQueue()
    defer { clearUp([key]) }
    try add(download, to: network)
    try add(key, to: network)
    try mustReturn("add, eight times,") {
      for _ in 1...8 { chain.add(Operation(), to: unwanted, after: [download, key]) }
    }
    try add(decrypt, to: processing, after: [download, key])
    unwanted.cancelAllOperations()
    runUntilQuiet()
    download.end()
    expectInside(["key"], "The download has finished, and decrypt needs the key as well.")
    key.end()
    expectInside(
      ["decrypt"],
      """
      Eight others came after the download and the key, and were cancelled before these had finished. That \
      must not concern decrypt.
      """)
  }
}
