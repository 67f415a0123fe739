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

  // A ring of places needn't begin at the first one, and then it may have to grow, or to wrap around.
  @Test(arguments: [17, 65, 300])
  func `a full buffer keeps the order, wherever its first element is`(capacity: Int) throws {
    for lead in [1, 8, capacity - 1] {
      let taken = try mustReturn("put or take", "There is always a place or an element for it.") {
        let buffer = BoundedBuffer<Int>(capacity: capacity)
        for number in 1...lead { _ = buffer.put(-number) }
        for _ in 1...lead { _ = buffer.take() }
        for number in 1...capacity { _ = buffer.put(number) }
        return (1...capacity).map { _ in buffer.take() }
      }
      #expect(
        taken == Array(1...capacity),
        """
        \(lead) elements were put and taken; then 1 to \(capacity) were put, which filled the \
        buffer, and taken. They must come out in this order.
        """)
    }
  }
}
