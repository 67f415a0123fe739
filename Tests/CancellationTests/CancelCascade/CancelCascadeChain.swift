import Foundation
import KataTesting
import Testing

/// A long chain of operations, of which each depends on the one before it.
final class CascadeChain: Sendable, OpaqueMirror {
  /// What may be asked of each, on average; whoever asks more is done next week.
  private static let costEach = 60
  /// The stack of a thread on which the chain is followed, in bytes: that of an ordinary secondary
  /// thread on Apple's systems.
  private static let stackSize = 512 * 1024
  /// How many seconds of the processor in a row it may get on slowly: who builds tables asks nobody
  /// meanwhile, and machines are slow.
  private static let slowSeconds = 20

  let length: Int
  let ledger: CascadeLedger
  private let links: [Operation]

  init(length: Int) {
    let ledger = CascadeLedger(limit: Self.costEach * length)
    let links = (0..<length).map { _ in CascadeLink(ledger) }
    for (link, next) in zip(links, links.dropFirst()) { next.addDependency(link) }
    self.length = length
    self.ledger = ledger
    self.links = links
  }

  /// Calls `cancelCascade` from the first link, which stands last in the list, and waits for it as
  /// long as it gets on.
  func cascade(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let hasReturned = SharedCounter()
    let thread = Thread { [links] in
      links[0].cancelCascade(among: links.reversed())
      hasReturned.increment()
    }
    thread.stackSize = Self.stackSize
    thread.start()
    // A slow machine gets on slowly; a search for each operation hardly gets on at all.
    var slow = 0
    while hasReturned.value == 0, !ledger.isFull {
      let aim = ledger.entries + length / 5
      let end = Int(clock()) + Int(CLOCKS_PER_SEC)
      let advice: Comment = """
        A hundred thousand operations stand in a chain, and cancelCascade doesn't get on. Whoever \
        searches all of them for each of them takes ten billion steps: note once who depends on \
        whom, and remember in a set whom you have found.
        """
      try #require(
        eventually(advice, sourceLocation: sourceLocation) {
          hasReturned.value > 0 || ledger.isFull || ledger.entries >= aim || Int(clock()) >= end
        })
      slow = ledger.entries >= aim ? 0 : slow + 1
      try #require(slow < Self.slowSeconds, advice, sourceLocation: sourceLocation)
    }
  }

  /// Takes the links apart: let go of as a chain, each would be let go of inside the one after it.
  func takeApart() {
    ledger.close()
    for (link, next) in zip(links, links.dropFirst()) { next.removeDependency(link) }
  }
}

/// What was asked of the links of a chain, and how often they were told.
final class CascadeLedger: Sendable, OpaqueMirror {
  private let limit: Int
  private let counts = LockedValue((cost: 0, tells: 0, isClosed: false))

  init(limit: Int) {
    self.limit = limit
  }

  var tells: Int { counts.value.tells }
  /// Grows as long as the answer gets on.
  var entries: Int { counts.withLock { $0.cost + $0.tells } }
  /// Whether more was asked than an answer needs that goes through all of them a few times.
  var isFull: Bool { counts.value.cost >= limit }

  /// Counts no more: what follows is the spec's own doing.
  func close() { counts.withLock { $0.isClosed = true } }

  func tell() { counts.withLock { $0.tells += 1 } }

  /// Counts what was asked; where it was too much it keeps the thread for good, which would go on
  /// asking for hours.
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

  // Asked by a set or a dictionary of operations too, a few times for each.
  override func isEqual(_ object: Any?) -> Bool {
    ledger.ask(1)
    return super.isEqual(object)
  }
}
