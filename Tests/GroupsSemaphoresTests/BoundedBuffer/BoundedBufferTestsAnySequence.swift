import KataTesting
import Testing

extension BoundedBufferTests {
  @Test func `in any sequence of calls each element comes out once, in its order`() {
    for capacity in [1, 300] {
      exploreSequences(
        of: CallList(
          BufferModel.subject(capacity: capacity), calls: [put(1), put(2), take, close]))
    }
  }
}
