import Dispatch
import Foundation
import KataTesting
import Testing

extension LatestOnlyTests {
  // MARK: - During another call

  @Test(arguments: ["by another thread", "by what begins it"])
  func `replaced while it's being begun, it's cancelled then`(how: String) throws {
    let goOn = Gate("begin returns")
    let searches = HandSearches(inBegin: { searches, number in
      guard number == 1 else { return }
      if how == "by what begins it" { searches.ask("cat") }
      goOn.wait()
    })
    let asking = TestThread("ask") { searches.ask("ca") }
    eventually("begin was never called, or an ask inside it never returned.") {
      goOn.waiting == 1
    }
    if how == "by another thread" { try ask("cat", searches) }
    goOn.open()
    try asking.result()
    searches.timeline.expect(
      """
      asks     ●         ●  ca, cat
      1 (ca)        ├───────────────────┤    ●  is cancelled
      2 (cat)                 ├────┤
      """,
      """
      "ca" was being begun when "cat" was asked. "ca" couldn't be cancelled then; it can when its \
      begin has returned. It must be cancelled once, and "cat" not.
      """)
    try ask("cats", searches)
    expectCancellations(
      [1, 1, 0], searches,
      """
      "ca" was being begun when "cat" was asked, and its begin returned last. Then "cats" was \
      asked, and must cancel "cat": the closure that cancels "ca" mustn't replace the one that \
      cancels "cat".
      """)
    for number in [1, 2, 3] { try reply(number, searches) }
    expectHeard(["cats: hits"], searches, "All three replied; only the newest may be delivered.")
  }

  @Test func `cancelled while it's being begun, the request is cancelled then`() throws {
    let goOn = Gate("begin returns")
    let searches = HandSearches(inBegin: { _, number in if number == 1 { goOn.wait() } })
    let asking = TestThread("ask") { searches.ask("ca") }
    eventually("ask was called, and begin wasn't.") { goOn.waiting == 1 }
    try mustReturn("cancel()") { searches.cancel() }
    goOn.open()
    try asking.result()
    expectCancellations(
      [1], searches,
      """
      Its request was being begun when cancel() was called, and couldn't be cancelled then. It \
      must be cancelled when begin has returned, once.
      """)
    try reply(1, searches)
    expectHeard(
      [], searches, "Its request was being begun when cancel() was called, and then it replied.")
  }

  // one thread             another thread
  // asks "ca"
  //   is held in begin     replaces it, and its request replies
  //   begin returns        it's over: nothing to cancel
  @Test(arguments: [Replacement.ask, .cancel])
  func `replaced while it's being begun, it may reply before that ends`(
    replacement: Replacement
  ) throws {
    let goOn = Gate("begin returns")
    let searches = HandSearches(inBegin: { _, number in if number == 1 { goOn.wait() } })
    let asking = TestThread("ask") { searches.ask("ca") }
    eventually("ask was called, and begin wasn't.") { goOn.waiting == 1 }
    try mustReturn(replacement.rawValue) { searches.replace(by: replacement) }
    try reply(1, searches)
    goOn.open()
    try asking.result()
    runUntilQuiet()
    #expect(
      searches.cancellations.first == 0,
      searches.timeline.showing(
        """
        Its request was being begun when \(replacement.rawValue) came; then it replied, and then \
        begin returned. The reply has ended it, and it was cancelled all the same. Record the reply \
        even of a request that has been replaced.
        """))
    expectHeard(
      [], searches, "Its request was replaced while it was being begun, and then it replied.")
  }

  @Test func `a reply inside a request's cancel isn't delivered`() throws {
    let searches = HandSearches(inCancel: { searches, number in searches.reply(number) })
    try ask("ca", searches)
    try mustReturn(
      "ask", "The older request replied before its cancel returned, as many do: hold no lock there."
    ) { searches.ask("cat") }
    try mustReturn("cancel()") { searches.cancel() }
    expectCancellations([1, 1], searches, "Both must be cancelled once: by ask and by cancel().")
    expectHeard([], searches, "The requests replied, each while it was being cancelled.")
  }

  // one thread
  // asks "ca", then "cat"
  //   cancels "ca", which asks "cats"
  // "cats" was asked last
  @Test func `asked inside a request's cancel, the last one is delivered`() throws {
    let searches = HandSearches(inCancel: { searches, number in
      // A limit, for answers that cancel the same request again and again.
      if number == 1, searches.queries.count < 4 { searches.ask("cats") }
    })
    try ask("ca", searches)
    try mustReturn(
      "ask", "The older request asked for something else when it was cancelled: hold no lock there."
    ) { searches.ask("cat") }
    runUntilQuiet()
    let numbers = ["ca", "cat", "cats"].map { (searches.queries.firstIndex(of: $0) ?? 0) + 1 }
    for number in numbers { try reply(number, searches) }
    let cancelled = numbers.map {
      searches.cancellations.indices.contains($0 - 1) ? searches.cancellations[$0 - 1] : 0
    }
    #expect(
      searches.queries.count == 3 && cancelled[0] == 1 && cancelled[2] == 0
        && searches.heard == ["cats: hits"],
      searches.timeline.showing(
        """
        "cat" was asked, which cancelled "ca", and that asked "cats" inside its cancel: the newest \
        of all. All three replied; only the answer to "cats" may be delivered. Put the new request \
        in place before you cancel the one before it.
        """))
  }

  @Test func `asked inside a request's cancel by cancel(), it's delivered`() throws {
    let searches = HandSearches(inCancel: { searches, number in
      if number == 1, searches.queries.count == 1 { searches.ask("cat") }
    })
    try ask("ca", searches)
    try mustReturn(
      "cancel()", "The request asked for something else when it was cancelled: hold no lock there."
    ) { searches.cancel() }
    searches.timeline.expect(
      """
      asks     ●              ●         ●  ca, cancel(), cat
      1 (ca)        ├────┤         ●  is cancelled
      2 (cat)                                ├────┤
      """,
      """
      cancel() cancelled "ca", and that asked "cat" inside its cancel. "ca" must be cancelled \
      once, and "cat" not.
      """)
    try reply(2, searches)
    expectHeard(
      ["cat: hits"], searches,
      """
      cancel() cancelled "ca", and that asked "cat" inside its cancel, which has not been given \
      up. Remove the request from its place first, then cancel it.
      """)
  }
}
