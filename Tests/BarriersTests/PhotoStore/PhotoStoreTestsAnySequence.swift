import KataTesting
import Testing

extension PhotoStoreTests {
  @Test func `in any sequence of calls reads and notices show what each change did`() {
    exploreSequences(
      of: CallList(
        Self.noticed, calls: [Self.add, Self.addTheirCount, Self.changeNothing, Self.photos]),
      // Each notice has all photos, so a thousand of them would take long to compare.
      lengths: [1, 2, 3, 9, 17, 65, 257])
  }
}
