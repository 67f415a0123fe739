import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that only the newest request's answer is delivered.
///
/// A request that is replaced, given up or released is cancelled once and delivers nothing, unless
/// it has replied. No thread waits for a closure that is called.
@Suite(.serialized, .kata) struct LatestOnlyTests {
  // MARK: - One request

  @Test func `an answer is delivered on the answer queue`() throws {
    let searches = HandSearches()
    try ask("ca", searches)
    try reply(1, searches)
    expectHeard(
      ["ca: hits"], searches,
      """
      "ca" was asked, and its request replied; no other was asked. Begin there: the reply that \
      begin receives must call onAnswer with the query and the answer, once, on the answer queue.
      """)
    expectCancellations([0], searches, "Its request was cancelled, though nothing replaced it.")
  }

  @Test func `a reply inside begin is delivered after ask has returned`() throws {
    let searches = HandSearches(inBegin: { searches, number in searches.reply(number) })
    try mustReturn(
      "ask",
      """
      The answer was at hand, and the request replied before begin returned; and ask was called on \
      the answer queue. Hold no lock there, and don't wait for the answer queue: it waits for you.
      """
    ) {
      searches.answers.sync {
        searches.ask("ca")
        searches.timeline.mark("asks", "returned")
      }
    }
    expectHeard(["ca: hits"], searches, "The request replied inside begin.")
    searches.timeline.expect(
      """
      asks    ●                   ●  ca, returned
      1 (ca)       ├────●────┤  replies
      hears                            ●  ca: hits
      """,
      """
      The answer was at hand inside ask, and must be delivered once, on the answer queue, after \
      ask has returned. The caller isn't ready for it before: deliver it with answerQueue.async.
      """)
    expectCancellations([0], searches, "It replied inside begin, and was cancelled all the same.")
    try ask("cat", searches)
    #expect(
      searches.cancellations.first == 0,
      searches.timeline.showing(
        """
        The first request replied inside begin, so it's over; and it was cancelled when another \
        was asked.
        """))
  }

  @Test func `a second reply of a request isn't delivered`() throws {
    let searches = HandSearches()
    try ask("ca", searches)
    try reply(1, searches, "hits")
    try reply(1, searches, "more hits")
    expectHeard(["ca: hits"], searches, "A request replied twice; its first reply is its answer.")
    try ask("cat", searches)
    let busy = Gate("the answer queue is free")
    searches.answers.async { busy.wait() }
    try mustReturn("replies") {
      searches.reply(2, "hits")
      searches.reply(2, "more hits")
    }
    busy.open()
    expectHeard(
      ["ca: hits", "cat: hits"], searches,
      "A request replied twice while the answer queue was busy; its first reply is its answer.")
  }

  @Test func `a request is begun on the thread that asks`() throws {
    let asker = ThreadMark()
    let begunByAsker = LockedValue<[Bool]>([])
    let searches = HandSearches(inBegin: { _, _ in begunByAsker.append(asker.isCurrent) })
    for query in ["ca", "cat"] {
      try mustReturn("ask") {
        asker.note()
        searches.ask(query)
      }
      runUntilQuiet()
      #expect(
        begunByAsker.value.last == true,
        searches.timeline.showing(
          """
          "\(query)" was asked, and its request wasn't begun on the thread that asked. Call begin \
          inside ask: the caller relies on the request having been sent.
          """))
    }
  }

  // MARK: - Older requests

  @Test func `an older request is cancelled`() throws {
    let searches = HandSearches()
    for query in ["c", "ca", "cat"] { try ask(query, searches) }
    expectCancellations(
      [1, 1, 0], searches,
      """
      Three were asked, one after the other. Those before the last must be cancelled, once each, \
      and the last must not. Otherwise they run on, though their answers are no longer needed.
      """)
  }

  @Test(arguments: [[1, 2], [2, 1]]) func `a stale answer is never delivered`(order: [Int]) throws {
    let searches = HandSearches()
    try ask("ca", searches)
    try ask("cat", searches)
    for number in order { try reply(number, searches) }
    expectHeard(
      ["cat: hits"], searches,
      """
      "ca" was asked, then "cat"; the replies came for \
      \(order == [1, 2] ? "\"ca\", then \"cat\"" : "\"cat\", then \"ca\""). Only the newest \
      request's answer may be delivered, whichever replies last.
      """)
  }

  @Test func `the same query asked again is another request`() throws {
    let searches = HandSearches()
    for query in ["ca", "cat", "ca", "ca"] { try ask(query, searches) }
    expectCancellations(
      [1, 1, 1, 0], searches, "Each but the last must be cancelled once, whatever it asked for.")
    for (number, answer) in [(1, "old"), (3, "older than the last"), (4, "new"), (2, "old")] {
      try reply(number, searches, answer)
    }
    expectHeard(
      ["ca: new"], searches,
      """
      "ca" was asked, then "cat", then "ca" twice. The answer to the first of them is stale, \
      though its query is the same as the newest one's: tell requests apart, not their queries.
      """)
  }

  // answer queue      caller
  // is busy
  // "ca: hits" waits
  //                   replaces it; no answer to "ca" may be delivered from now on
  // is free
  @Test(arguments: Replacement.allCases)
  func `an answer that waits in the answer queue may still go stale`(
    replacement: Replacement
  ) throws {
    let searches = HandSearches()
    try ask("ca", searches)
    let busy = Gate("the answer queue is free")
    searches.answers.async { busy.wait() }
    // No wait for quiet here: the replacement comes while the answer waits, however fast.
    try mustReturn("reply") { searches.reply(1) }
    try mustReturn(replacement.rawValue) { searches.replace(by: replacement) }
    runUntilQuiet()
    busy.open()
    expectHeard(
      [], searches,
      """
      The answer came while the answer queue was busy; then came \(replacement.rawValue), and then \
      the queue was free. Check on the answer queue, just before you deliver, whether the answer \
      is still wanted.
      """)
  }

  @Test(arguments: Replacement.allCases)
  func `a request that has replied isn't cancelled`(replacement: Replacement) throws {
    let searches = HandSearches()
    try ask("ca", searches)
    try reply(1, searches)
    try mustReturn(replacement.rawValue) { searches.replace(by: replacement) }
    runUntilQuiet()
    #expect(
      searches.cancellations.first == 0,
      searches.timeline.showing(
        """
        Its request had replied, then came \(replacement.rawValue), and it was cancelled. It's \
        over: there is nothing to cancel.
        """))
  }

  @Test func `two of them don't make each other's requests stale`() throws {
    let (one, other) = (HandSearches(), HandSearches())
    try ask("ca", one)
    try ask("do", other)
    try reply(1, one)
    expectHeard(
      ["ca: hits"], one,
      """
      There are two instances: one asked "ca", then the other one asked "do", and then the request \
      for "ca" replied. It's the newest request of the first instance, and must be delivered. Each \
      instance must keep its own newest request.
      """)
    try ask("cat", one)
    try mustReturn("cancel()") { other.cancel() }
    expectCancellations(
      [0, 0], one, "cancel() was called on another instance, and cancelled a request here.")
    expectCancellations([1], other, "cancel() was called, so the request must be cancelled, once.")
    try reply(2, one)
    expectHeard(["ca: hits", "cat: hits"], one, "cancel() was called on another instance.")
  }
}

extension LatestOnly: OpaqueMirror {}
