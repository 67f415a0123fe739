import KataTesting
import Testing

extension NestedAccessTests {
  @Test func `in any sequence of calls the stock is what the steps have made of it`() {
    exploreSequences(
      of: CallList(
        Self.subject, calls: [Self.add, Self.takeOrder, Self.exchange, Self.total, Self.apples]))
  }
}
