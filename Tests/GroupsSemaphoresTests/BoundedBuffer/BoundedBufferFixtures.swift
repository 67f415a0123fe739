import Foundation
import KataTesting
import Testing

/// A buffer of numbers between threads that put and threads that take; a timeline shows who waits.
///
/// When the test ends, the buffer is closed, so that nobody waits any longer.
final class Belt: Sendable, OpaqueMirror {
  /// What became of the calls that have returned, in the order of returning.
  struct Outcomes: Sendable {
    var accepted: [Int] = []
    var refused: [Int] = []
    var taken: [Int] = []
    /// How many takers got nil.
    var emptyHanded = 0
  }

  let timeline = Timeline()
  let buffer: BoundedBuffer<Int>
  private let takers = Counter()
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var recorded = Outcomes()

  init(capacity: Int) {
    buffer = BoundedBuffer(capacity: capacity)
    let testEnds = Gate("the test ends")
    _ = TestThread("the end of all waiting") { [buffer] in
      testEnds.wait()
      buffer.close()
    }
  }

  var outcomes: Outcomes { lock.withLock { recorded } }

  // MARK: - On a thread that may have to wait

  /// Somebody puts `number`, on a thread of their own.
  func put(_ number: Int) -> TestThread<Bool> {
    TestThread("put(\(number))") { [self] in
      timeline.visit("put(\(number))") {
        let isIn = buffer.put(number)
        lock.withLock {
          if isIn { recorded.accepted.append(number) } else { recorded.refused.append(number) }
        }
        return isIn
      }
    }
  }

  /// Somebody takes an element, on a thread of their own.
  func take() -> TestThread<Int?> {
    let name = "taker \(takers.increment())"
    return TestThread("take()") { [self] in
      timeline.visit(name) {
        let number = buffer.take()
        lock.withLock {
          if let number { recorded.taken.append(number) } else { recorded.emptyHanded += 1 }
        }
        return number
      }
    }
  }

  // MARK: - Calls that must return

  /// Puts `number` where there is room for it.
  func putWithRoom(_ number: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let isIn = try put(number).result(
      "There is room for this element, so nobody has to wait.", sourceLocation: sourceLocation)
    try #require(
      isIn,
      """
      put(\(number)) returned false, though there is room and nobody has closed the buffer. Begin \
      with put and take, as if nobody ever had to wait: put keeps the element, take hands out the \
      oldest.
      """, sourceLocation: sourceLocation)
  }

  /// Takes what is in the buffer, or nil at once where it's closed.
  func takeAtOnce(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int? {
    try take().result(
      "There is an element in the buffer, or it is closed, so nobody has to wait.",
      sourceLocation: sourceLocation)
  }

  func close(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try mustReturn("close()", sourceLocation: sourceLocation) { [buffer] in buffer.close() }
  }
}

/// An element that somebody may keep.
final class Crate: Sendable, OpaqueMirror {}

/// Tells whether anybody still keeps a crate.
final class CrateTrace: Sendable, OpaqueMirror {
  // Safe: written in `init` only; reading a weak reference is atomic.
  private nonisolated(unsafe) weak var crate: Crate?

  init(of crate: Crate) {
    self.crate = crate
  }

  var isCold: Bool { crate == nil }
}

/// The model: how many puts and takes have been asked for tells how many must have returned.
struct BufferScript: ScriptedModel {
  enum Move: String, CustomStringConvertible, Sendable {
    case put = "somebody puts the next number"
    case take = "somebody takes"
    case close = "somebody closes the buffer"

    var description: String { rawValue }
  }

  private static let capacity = 2
  private let belt = Belt(capacity: capacity)
  private var puts = 0
  private var takes = 0
  /// How many elements had got in when the buffer was closed.
  private var acceptedAtClose: Int?

  var timeline: Timeline { belt.timeline }

  private var accepted: Int { acceptedAtClose ?? min(puts, takes + Self.capacity) }
  private var taken: Int { min(takes, accepted) }

  func moves() -> [Move] {
    // Two who wait are enough to see whether the right number of them goes on.
    var moves: [Move] = [.close]
    if acceptedAtClose != nil || puts - accepted < 2 { moves += [.put, .put, .put] }
    if acceptedAtClose != nil || takes - taken < 2 { moves += [.take, .take, .take] }
    return moves
  }

  mutating func make(_ move: Move) {
    switch move {
    case .put:
      puts += 1
      _ = belt.put(puts)
    case .take:
      takes += 1
      _ = belt.take()
    case .close:
      acceptedAtClose = accepted
      _ = TestThread("close()") { [belt] in belt.buffer.close() }
    }
  }

  func broken() -> String? {
    let outcomes = belt.outcomes
    let isClosed = acceptedAtClose != nil
    let refused = isClosed ? puts - accepted : 0
    let emptyHanded = isClosed ? takes - taken : 0
    let state = """
      With room for \(Self.capacity), \(puts) puts and \(takes) takes\
      \(isClosed ? ", and closed when \(accepted) elements had got in" : "")
      """
    if outcomes.accepted.count != accepted || outcomes.refused.count != refused {
      return """
        \(state): \(accepted) puts must have returned true and \(refused) false, and the others \
        must wait. \(outcomes.accepted.count) have returned true and \(outcomes.refused.count) false.
        """
    }
    if outcomes.taken.count != taken || outcomes.emptyHanded != emptyHanded {
      return """
        \(state): \(taken) takes must have returned an element and \(emptyHanded) nil, and the \
        others must wait. \(outcomes.taken.count) have returned an element and \
        \(outcomes.emptyHanded) nil.
        """
    }
    if outcomes.taken != Array(outcomes.accepted.prefix(taken)) {
      return """
        The elements went in as \(outcomes.accepted) and came out as \(outcomes.taken): whatever \
        is put first must be taken first.
        """
    }
    return nil
  }
}
