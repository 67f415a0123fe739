import QuiescenceTesting
import Testing
import Uploads

@Suite(.serialized, .quiescence) struct UploadQueueTests {
  private let timeline = Timeline()

  @Test func `one file at a time`() throws {
    let arrived = Gate("dawn has arrived")
    let uploads = UploadQueue { [timeline] file in
      timeline.visit(file) { if file == "dawn" { arrived.wait() } }
      return true
    }
    try mustReturn("add") { uploads.add("dawn") }
    timeline.expect("dawn  ├────…", "A file was added, and its upload hasn't begun.")

    timeline.mark("noon", "added")
    try mustReturn("add") { uploads.add("noon") }
    timeline.expect(
      """
      dawn  ├─────────…
      noon       ●  added
      """, "The upload of dawn was under way, and noon didn't wait for it.")

    arrived.open()
    timeline.expect(
      """
      dawn  ├─────────┤
      noon       ●         ├────┤  added
      """, "Dawn has arrived, and the upload of noon didn't follow.")
  }

  @Test func `add doesn't block its caller`() {
    let arrived = Gate("dawn has arrived")
    let uploads = UploadQueue { _ in
      arrived.wait()
      return true
    }
    let caller = TestThread("add") {
      uploads.add("dawn")
      uploads.add("noon")
    }
    #expect(!caller.isBlocked(), "add must return at once, though an upload is under way.")
  }

  @Test func `what hasn't arrived is tried again, thirty seconds later`() {
    let tries = SharedCounter()
    let timers = ManualTimers()
    let uploads = UploadQueue(schedule: { timers.set($0, $1) }) { _ in tries.increment() == 2 }
    uploads.add("dawn")
    runUntilQuiet()
    #expect(tries.value == 1 && timers.seconds == [30])

    timers.firePending()
    runUntilQuiet()
    #expect(tries.value == 2, "Its time has come: dawn must be tried again.")
    #expect(timers.all.count == 1, "It has arrived now; there's nothing left to try.")
  }
}
