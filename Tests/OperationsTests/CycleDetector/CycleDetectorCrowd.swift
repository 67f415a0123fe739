import Foundation
import KataTesting
import Testing

/// A large graph of operations.
///
/// They don't store their dependencies: each computes them when they are read. So there is no chain
/// of references, whose release would be a deep recursion on the stack.
// Safe: set once, in `init`.
final class CycleCrowd: @unchecked Sendable {
  /// The cost of queries that each may have, on average; an answer that needs more is done next
  /// week.
  private static let costEach = 60
  /// The stack of the thread on which the graph is searched, in bytes: that of an ordinary
  /// secondary thread on Apple's systems.
  private static let stackSize = 512 * 1024
  /// How much longer than a walk through all of them a search may take; a search that goes through
  /// all of them for each of them takes hundreds of times as long.
  private static let walks = 30.0
  /// What it may take in any case, before it's measured, in seconds of processor time.
  private static let secondsAtLeast = 0.5

  let shape: CrowdShape
  let count: Int
  private let cost = LockedValue(0)
  fileprivate private(set) var members: [CrowdMember] = []

  init(_ shape: CrowdShape, count: Int) {
    self.shape = shape
    self.count = count
    members = (0..<count).map { CrowdMember($0, of: self) }
  }

  /// Whether the queries cost more than a search needs that goes through all of them a few times.
  var isTired: Bool { cost.value >= Self.costEach * count }

  /// Adds the cost of a query; if the sum is too large, it blocks the thread for good, which would
  /// otherwise continue for hours.
  fileprivate func ask(_ cost: Int) {
    self.cost.withLock { $0 += cost }
    if isTired { DispatchSemaphore(value: 0).wait() }
  }

  /// The members that `cycle(from:)` finds, by number; waits as long as the search makes progress.
  ///
  /// A walk through all of them is measured here and now, and gives the limit: a slow machine is
  /// slow with both, and an answer may compute for a while without any query.
  func search(sourceLocation: SourceLocation = #_sourceLocation) throws -> [Int]? {
    let answer = LockedValue<[Int]??>(nil)
    let thread = Thread { [self] in
      let cycle = CycleDetector.cycle(from: members)
      answer.set(.some(cycle?.map { ($0 as? CrowdMember)?.number ?? -1 }))
    }
    thread.stackSize = Self.stackSize
    thread.start()
    let start = Self.used(CLOCK_PROCESS_CPUTIME_ID)
    var end: Double?
    let comment: Comment = """
      Twenty thousand operations (\(shape)), and cycle(from:) takes far too long. Its time must be \
      proportional to the number of operations and dependencies. Look operations up by \
      ObjectIdentifier in a set or a dictionary, and visit each once.
      """
    while answer.value == nil, !isTired {
      let before = Self.used(CLOCK_PROCESS_CPUTIME_ID)
      if before > start + Self.secondsAtLeast {
        let last = end ?? before + Self.walks * timeOfWalk()
        try #require(before <= last, comment, sourceLocation: sourceLocation)
        end = last
      }
      try #require(
        eventually(comment, sourceLocation: sourceLocation) {
          answer.value != nil || isTired || Self.used(CLOCK_PROCESS_CPUTIME_ID) > before + 0.2
        })
    }
    return answer.value ?? nil
  }

  /// The processor time that this process or this thread has used, in seconds.
  ///
  /// It grows as long as the answer works.
  private static func used(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The processor time that it takes to look all members up once, each by its identity, in
  /// seconds.
  private func timeOfWalk() -> Double {
    let start = Self.used(CLOCK_THREAD_CPUTIME_ID)
    var found: [ObjectIdentifier: Int] = [:]
    for member in members {
      for other in [member.number] + shape.waited(for: member.number, of: count) {
        found[ObjectIdentifier(members[other]), default: 0] += 1
      }
    }
    return found.count == count ? Self.used(CLOCK_THREAD_CPUTIME_ID) - start : 0
  }
}

/// A member of a crowd.
// Safe: never changes after `init`.
private final class CrowdMember: Operation, @unchecked Sendable {
  let number: Int
  // Only the crowd retains its members.
  private unowned let crowd: CycleCrowd

  init(_ number: Int, of crowd: CycleCrowd) {
    self.number = number
    self.crowd = crowd
    super.init()
  }

  override var isReady: Bool {
    crowd.ask(1)
    return crowd.shape.waited(for: number, of: crowd.count).isEmpty
  }

  override var dependencies: [Operation] {
    crowd.ask(6)
    return crowd.shape.waited(for: number, of: crowd.count).map { crowd.members[$0] }
  }

  // A set or a dictionary of operations calls it too, a few times for each.
  override func isEqual(_ object: Any?) -> Bool {
    crowd.ask(1)
    return super.isEqual(object)
  }
}
