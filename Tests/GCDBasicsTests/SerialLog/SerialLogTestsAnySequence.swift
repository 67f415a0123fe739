import KataTesting
import Testing

extension SerialLogTests {
  @Test func `in any sequence of calls each message is an entry, in order`() {
    exploreSequences(
      of: CallList(NumberedLog.subject, calls: [append("a"), append(""), entries]),
      lengths: [1, 2, 3, 9, 17, 65, 257])
  }
}
