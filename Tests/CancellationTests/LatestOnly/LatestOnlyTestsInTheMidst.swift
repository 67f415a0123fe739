import Dispatch
import Foundation
import KataTesting
import Testing

extension LatestOnlyTests {
  // MARK: - In the midst

  @Test(arguments: ["by another thread", "by what begins it"])
  func `replaced while it's being begun, it's cancelled then`(how: String) throws {
    let goOn = Gate("begin returns")
    let searches = HandSearches(inBegin: { searches, number in
      guard number == 1 else { return }
      if how == "by what begins it" { searches.ask("cat") }
      goOn.wait()
    })
    let asking = TestThread("ask") { searches.ask("ca") }
    eventually("ask never calls begin; or begin asked for something else, and never came back.") {
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
      "ca" was being begun when "cat" was asked. There was nothing to cancel "ca" with then; there is \
      since begin has returned. It must be cancelled once, and "cat" not.
      """)
    try ask("cats", searches)
    expectCancellations(
      [1, 1, 0], searches,
      """
      "ca" was being begun when "cat" was asked, and its begin returned last. Then "cats" was asked, \
      and must cancel "cat": what cancels "ca" mustn't take its place.
      """)
    for number in [1, 2, 3] { try reply(number, searches) }
    expectHeard(["cats: hits"], searches, "All three replied; the newest alone must be heard.")
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
      Its request was being begun when cancel() came, and there was nothing to cancel it with; there \
      is since begin has returned: cancel it then, once.
      """)
    try reply(1, searches)
    expectHeard(
      [], searches, "Its request was being begun when cancel() came, and then it replied.")
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
        Its request was being begun when \(replacement.rawValue); then it replied, and then begin \
        returned. It's over by its reply, and was cancelled all the same: note the reply of a request \
        that nobody wants, too.
        """))
    expectHeard(
      [], searches, "Its request was replaced while it was being begun, and then it replied.")
  }

  @Test func `a reply inside a request's cancel isn't heard`() throws {
    let searches = HandSearches(inCancel: { searches, number in searches.reply(number) })
    try ask("ca", searches)
    try mustReturn(
      "ask", "The older request replied before its cancel returned, as many do: hold no lock there."
    ) { searches.ask("cat") }
    try mustReturn("cancel()") { searches.cancel() }
    expectCancellations([1, 1], searches, "Both must be cancelled once: by ask and by cancel().")
    expectHeard([], searches, "The requests replied, each to its own cancellation.")
  }

  // one thread
  // asks "ca", then "cat"
  //   cancels "ca", which asks "cats"
  // "cats" was asked last
  @Test func `asked inside a request's cancel, the last one is heard`() throws {
    let searches = HandSearches(inCancel: { searches, number in
      // A bound, for answers that cancel the same request again and again.
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
        "cat" was asked, which cancelled "ca", and that asked "cats" there and then: the newest of all. \
        All three replied; only "cats" may be heard. Put the new request in place before you cancel the \
        one before it.
        """))
  }

  @Test func `asked inside a request's cancel by cancel(), it's heard`() throws {
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
      cancel() cancelled "ca", and that asked "cat" there and then. "ca" must be cancelled once, and "cat" \
      not.
      """)
    try reply(2, searches)
    expectHeard(
      ["cat: hits"], searches,
      """
      cancel() cancelled "ca", and that asked "cat" there and then, which nobody has given up. Take the \
      request out of its place first, and cancel it then.
      """)
  }
}
