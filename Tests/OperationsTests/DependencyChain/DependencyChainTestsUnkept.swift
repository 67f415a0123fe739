import Foundation
import KataTesting
import Testing

extension DependencyChainTests {
  // MARK: - Not retained by the caller

  // download, key       eight operations that come after both
  // execute
  //                     are cancelled, leave their queue, and the spec doesn't retain them
  // finish
  //
  // Foundation on Linux doesn't retain dependents: an operation that finishes follows pointers to
  // them. If they were deallocated, the process crashes. On other systems nothing is to be seen.
  @Test func `a cancelled operation needn't be retained until its dependencies finish`() throws {
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
    expectInside(["key"], "The download has finished, and decrypt still waits for the key.")
    key.end()
    expectInside(
      ["decrypt"],
      """
      Eight other operations waited for the download and the key, and were cancelled before these \
      had finished. That must not affect decrypt.
      """)
  }
}
