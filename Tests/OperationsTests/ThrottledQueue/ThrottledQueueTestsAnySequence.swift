import KataTesting
import Testing

extension ThrottledQueueTests {
  @Test func `in any sequence of calls it runs if there are as many resumes as pauses`() {
    exploreSequences(of: Self.calls)
  }
}
