import Foundation
import KataTesting
import Testing

/// Many operations that all depend on the first, directly or through others.
final class CascadeChain: Sendable, OpaqueMirror {
  /// The cost that an answer may have for each, on average; an answer that exceeds it takes far too
  /// long.
  private static let costEach = 60
  /// The stack of a thread on which the chain is followed, in bytes: that of an ordinary secondary
  /// thread on Apple's systems.
  private static let stackSize = 512 * 1024
  /// For how many seconds of processor time in a row it may make little progress: code that builds
  /// tables calls no operation meanwhile, and machines are slow.
  private static let slowSeconds = 20

  let length: Int
  let ledger: CascadeLedger
  private let isStar: Bool
  private let links: [Operation]

  /// Creates a chain, of which each depends on the one before it, or a star, of which all others
  /// depend on the first alone.
  init(length: Int, isStar: Bool) {
    let ledger = CascadeLedger(limit: Self.costEach * length)
    let links = (0..<length).map { _ in CascadeLink(ledger) }
    for (link, next) in zip(links, links.dropFirst()) {
      next.addDependency(isStar ? links[0] : link)
    }
    self.isStar = isStar
    self.length = length
    self.ledger = ledger
    self.links = links
  }

  /// The shape, as a message begins.
  var shape: String {
    isStar
      ? "A hundred thousand operations depend on the same one"
      : "A hundred thousand operations form a chain"
  }

  /// Calls `cancelCascade` on the first link, which is last in the list, and waits as long as it
  /// makes progress.
  func cascade(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let hasReturned = SharedCounter()
    let thread = Thread { [links] in
      links[0].cancelCascade(among: links.reversed())
      hasReturned.increment()
    }
    thread.stackSize = Self.stackSize
    thread.start()
    // A slow machine makes slow progress; a search for each operation hardly makes any.
    var slow = 0
    while hasReturned.value == 0, !ledger.isFull {
      let aim = ledger.entries + length / 5
      let end = Int(clock()) + Int(CLOCKS_PER_SEC)
      let advice: Comment = """
        \(shape), and cancelCascade makes too little progress. Searching all of them for each of \
        them takes ten billion steps. Store once which operations depend on which, remember those \
        that you have found in a set, and look at each dependent of an operation once.
        """
      try #require(
        eventually(advice, sourceLocation: sourceLocation) {
          hasReturned.value > 0 || ledger.isFull || ledger.entries >= aim || Int(clock()) >= end
        })
      slow = ledger.entries >= aim ? 0 : slow + 1
      try #require(slow < Self.slowSeconds, advice, sourceLocation: sourceLocation)
    }
  }

  /// Takes the links apart: released as a chain, each would be released inside the one after it.
  func takeApart() {
    ledger.close()
    for (link, next) in zip(links, links.dropFirst()) {
      next.removeDependency(isStar ? links[0] : link)
    }
  }
}

/// What was read from the links of a chain, and how often they were cancelled.
final class CascadeLedger: Sendable, OpaqueMirror {
  private let limit: Int
  private let counts = LockedValue((cost: 0, tells: 0, isClosed: false))

  init(limit: Int) {
    self.limit = limit
  }

  var tells: Int { counts.value.tells }
  /// Grows as long as the answer makes progress.
  var entries: Int { counts.withLock { $0.cost + $0.tells } }
  /// Whether more was read than by an answer that goes through all of them a few times.
  var isFull: Bool { counts.value.cost >= limit }

  /// Stops counting: the spec itself makes the calls that follow.
  func close() { counts.withLock { $0.isClosed = true } }

  func tell() { counts.withLock { $0.tells += 1 } }

  /// Counts what was read, and blocks the thread for good if it was too much: it would go on for
  /// hours.
  func ask(_ cost: Int) {
    let isFull = counts.withLock { counts in
      guard !counts.isClosed else { return false }
      counts.cost += cost
      return counts.cost >= limit
    }
    if isFull { DispatchSemaphore(value: 0).wait() }
  }
}

/// An operation that counts on a ledger.
// Safe: nothing changes but the ledger, which has a lock.
private final class CascadeLink: Operation, @unchecked Sendable {
  private let ledger: CascadeLedger

  init(_ ledger: CascadeLedger) {
    self.ledger = ledger
    super.init()
  }

  override var dependencies: [Operation] {
    ledger.ask(6)
    return super.dependencies
  }

  override func cancel() {
    ledger.tell()
    super.cancel()
  }

  // Called by a set or a dictionary of operations too, a few times for each.
  override func isEqual(_ object: Any?) -> Bool {
    ledger.ask(1)
    return super.isEqual(object)
  }
}
