import KataTesting
import Testing

extension BoundedBufferTests {
  // MARK: - Every schedule

  @Test func `in every schedule put, take and close keep their promises`() {
    explore(CallList(BufferModel.subject(capacity: 1), calls: [put(1), take, close]))
  }

  @Test func `in every schedule elements come out in the order in which they went in`() {
    explore(CallList(BufferModel.subject(capacity: 2), calls: [put(1), put(2), take]))
  }

  func put(_ number: Int) -> ModelledCall<BoundedBuffer<Int>, BufferModel> {
    ModelledCall("put(\(number))") {
      $0.put(number)
    } step: { buffer in
      if buffer.isClosed { return .returns(false) }
      guard buffer.elements.count < buffer.capacity else { return .waits }
      buffer.elements.append(number)
      return .returns(true)
    }
  }

  var take: ModelledCall<BoundedBuffer<Int>, BufferModel> {
    ModelledCall("take()") {
      $0.take()
    } step: { buffer in
      if !buffer.elements.isEmpty { return .returns(buffer.elements.removeFirst()) }
      return buffer.isClosed ? .returns(nil) : .waits
    }
  }

  // Once: a second close may return while the first is still running, so it needn't promise as much.
  var close: ModelledCall<BoundedBuffer<Int>, BufferModel> {
    ModelledCall("close()") {
      $0.close()
    } model: { buffer in
      buffer.isClosed = true
    }.onlyOnce
  }
}

/// Any order of the calls is right, so the model leaves open which of several waiting calls returns first.
struct BufferModel: Sendable {
  let capacity: Int
  var elements: [Int] = []
  var isClosed = false

  static func subject(capacity: Int) -> ModelledSubject<BoundedBuffer<Int>, BufferModel> {
    ModelledSubject(
      model: BufferModel(capacity: capacity), { BoundedBuffer(capacity: capacity) },
      tearDown: { buffer in
        // On a thread of its own, for a wrong one may never return.
        _ = TestThread("close()") { buffer.close() }
      })
  }
}
