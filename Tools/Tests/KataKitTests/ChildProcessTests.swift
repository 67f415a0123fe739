import Foundation
import KataTesting
import Testing

@testable import KataKit

@Suite(.kata) struct ChildProcessTests {
  @Test func `a process that is stopped ends with what it started`() throws {
    let process = ChildProcess(
      "/bin/sh", ["-c", "sleep 1000 & echo $!; wait"], in: URL(filePath: "/"))
    try process.start()
    while !process.output.contains("\n") { usleep(1_000) }
    let child = try #require(
      Int32(process.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    process.stop()
    #expect(process.waitForEnd() == .killed(signal: SIGKILL))
    #expect(hasEnded(child))
  }

  @Test func `an ending is reported as it was`() throws {
    for (script, ending) in [
      ("exit 3", ChildProcess.Ending.exited(3)), ("kill -9 $$", .killed(signal: SIGKILL)),
    ] {
      let process = ChildProcess("/bin/sh", ["-c", script], in: URL(filePath: "/"))
      try process.start()
      #expect(process.waitForEnd() == ending)
    }
  }
}
