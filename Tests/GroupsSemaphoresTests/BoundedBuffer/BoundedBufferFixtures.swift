import Foundation
import KataTesting
import Testing

/// A buffer of numbers between threads that put and threads that take; a timeline shows which wait.
///
/// When the test ends, the buffer is closed, so that no thread waits any longer.
final class Belt: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let buffer: BoundedBuffer<Int>
  /// What `put` and `take` returned, in the order of returning.
  let puts = LockedValue<[(number: Int, isIn: Bool)]>([])
  let takes = LockedValue<[Int?]>([])
  private let takers = SharedCounter()

  init(capacity: Int) {
    buffer = BoundedBuffer(capacity: capacity)
    let testEnds = Gate("the test ends")
    _ = TestThread("the end of all waiting") { [buffer] in
      testEnds.wait()
      buffer.close()
    }
  }

  /// Puts `number` on a thread of its own, which waits until the number is in or refused.
  @discardableResult
  func put(_ number: Int, by who: String? = nil) -> TestThread<Bool> {
    let who = who ?? "put(\(number))"
    return timeline.asks(who) { [self] in
      let isIn = buffer.put(number)
      puts.append((number, isIn))
      timeline.visit(who) {}
      return isIn
    }
  }

  /// Takes an element on a thread of its own, which waits until there is one.
  @discardableResult
  func take() -> TestThread<Int?> {
    let who = "taker \(takers.increment())"
    return timeline.asks(who) { [self] in
      let number = buffer.take()
      takes.append(number)
      timeline.visit(who) {}
      return number
    }
  }

  /// Puts `number` when there is room for it.
  func putWithRoom(_ number: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let advice: Comment = "There is room for this element, so put mustn't wait."
    let isIn = try atOnce("put(\(number))", advice, sourceLocation) { $0.put(number) }
    try #require(
      isIn,
      """
      put(\(number)) returned false, though there is room and the buffer is open. Begin with a put \
      and a take that never wait: put stores the element, and take returns the oldest.
      """, sourceLocation: sourceLocation)
  }

  /// Takes what is in the buffer, or nil at once if it's closed.
  func takeAtOnce(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int? {
    let advice: Comment = "There is an element in the buffer, or it's closed, so take mustn't wait."
    return try atOnce("take()", advice, sourceLocation) { $0.take() }
  }

  func close(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try atOnce("close()", nil, sourceLocation) { $0.close() }
  }

  /// A call that mustn't wait; the timeline marks it if it already shows a call that waits.
  private func atOnce<Result: Sendable>(
    _ call: String, _ advice: Comment?, _ sourceLocation: SourceLocation,
    _ body: @escaping @Sendable (BoundedBuffer<Int>) -> Result
  ) throws -> Result {
    if !timeline.events.isEmpty { timeline.mark("meanwhile", call) }
    return try mustReturn(call, advice, sourceLocation: sourceLocation) { [buffer] in body(buffer) }
  }
}

/// The model: it computes from the number of puts and takes how many must have returned.
struct BufferScript: ScriptedModel {
  enum Move: String, CustomStringConvertible, Sendable {
    case put = "a thread puts the next number"
    case take = "a thread takes"
    case close = "a thread closes the buffer"

    var description: String { rawValue }
  }

  private static let capacity = 2
  private let belt = Belt(capacity: capacity)
  private var (puts, takes) = (0, 0)
  /// How many elements had got in when the buffer was closed.
  private var acceptedAtClose: Int?

  var timeline: Timeline { belt.timeline }

  private var mustBeIn: Int { acceptedAtClose ?? min(puts, takes + Self.capacity) }
  private var mustBeOut: Int { min(takes, mustBeIn) }

  func moves() -> [Move] {
    // Two waiting threads are enough to see whether the right number of them goes on.
    var moves: [Move] = [.close]
    if acceptedAtClose != nil || puts - mustBeIn < 2 { moves += [.put, .put, .put] }
    if acceptedAtClose != nil || takes - mustBeOut < 2 { moves += [.take, .take, .take] }
    return moves
  }

  mutating func make(_ move: Move) {
    switch move {
    case .put:
      puts += 1
      belt.put(puts)
    case .take:
      takes += 1
      belt.take()
    case .close:
      acceptedAtClose = mustBeIn
      _ = TestThread("close()") { [belt] in belt.buffer.close() }
    }
  }

  func broken() -> String? {
    let accepted = belt.puts.value.filter(\.isIn).map(\.number)
    let taken = belt.takes.value.compactMap(\.self)
    let refused = belt.puts.value.count - accepted.count
    let emptyHanded = belt.takes.value.count - taken.count
    let isClosed = acceptedAtClose != nil
    let (mustBeRefused, mustGetNil) = isClosed ? (puts - mustBeIn, takes - mustBeOut) : (0, 0)
    if (accepted.count, refused, taken.count, emptyHanded)
      != (mustBeIn, mustBeRefused, mustBeOut, mustGetNil)
    {
      return """
        With room for \(Self.capacity), \(puts) puts and \(takes) takes\
        \(isClosed ? ", and closed when \(mustBeIn) elements had got in" : ""): \
        \(mustBeIn) puts must have returned true and \(mustBeRefused) false, \(mustBeOut) takes \
        an element and \(mustGetNil) nil, and all others must wait. \(accepted.count) puts have returned \
        true and \(refused) false, \(taken.count) takes an element and \(emptyHanded) nil.
        """
    }
    guard taken != Array(accepted.prefix(mustBeOut)) else { return nil }
    return """
      The elements went in as \(accepted) and came out as \(taken): the element that was put first \
      must be taken first.
      """
  }
}
