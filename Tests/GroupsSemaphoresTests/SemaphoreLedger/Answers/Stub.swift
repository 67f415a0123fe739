// Page: make page KATA=SemaphoreLedger (Docs/ConcurrencyKatas.docc/SemaphoreLedger.md)

/// A semaphore's arithmetic on paper: the counter, who sleeps, and who is woken, line by line.
///
/// Nobody really sleeps here. Visitors are names, and the ledger says what a semaphore would do with
/// them; so it can be read, copied and replayed, on one thread, as any value.
///
/// ```swift
/// var ledger = SemaphoreLedger(value: 1)
/// ledger.wait("Kid 1")    // 0, goes on
/// ledger.wait("Kid 2")    // -1, sleeps
/// ledger.signal("Kid 1")  // 0, wakes Kid 2
/// ```
///
/// Sleepers are woken in the order in which they fell asleep: the ledger is what books call a *strong*
/// semaphore. `DispatchSemaphore` counts alike; its documentation promises no order.
///
/// Source: Dijkstra, *Over de sequentialiteit van procesbeschrijvingen*, 1962; Apple's documentation
/// of `DispatchSemaphore`.
///
/// Your turn: `wait`, `signal` and `giveUp` each change the counter, may change who sleeps, and add one
/// line that says what happened and what the counter stands at then. Mind what comes first: the
/// counting or the looking.
public struct SemaphoreLedger: Sendable {
  /// Something that happened at the semaphore.
  public enum Event: Equatable, Sendable {
    /// It was made.
    case made
    /// This visitor waited, and either goes on or sleeps.
    case waits(String, sleeps: Bool)
    /// This visitor signalled, and woke somebody or nobody.
    case signals(String, wakes: String?)
    /// This sleeper's time was over, and it goes on without what it waited for.
    case givesUp(String)
  }

  /// An event, and what the counter stands at after it.
  public struct Line: Equatable, Sendable, CustomStringConvertible {
    /// What happened.
    public let event: Event
    /// The counter after it.
    public let counter: Int

    /// Creates a line.
    public init(_ counter: Int, _ event: Event) {
      self.counter = counter
      self.event = event
    }

    /// The line as it is written on paper, such as "-1  Kid 2 waits, and sleeps".
    public var description: String {
      let text =
        switch event {
        case .made: "made"
        case .waits(let who, let sleeps): "\(who) waits, and \(sleeps ? "sleeps" : "goes on")"
        case .signals(let who, let woken): "\(who) signals, and wakes \(woken ?? "nobody")"
        case .givesUp(let who): "\(who) gives up"
        }
      return "\(counter)  \(text)"
    }
  }

  /// What may still be taken; below zero, how many sleep.
  public private(set) var counter: Int
  /// Who sleeps, whoever has slept longest first.
  public private(set) var sleepers: [String] = []
  /// What happened so far.
  public private(set) var lines: [Line]

  /// Opens the ledger of a semaphore that is made with `value`; its first line says so.
  ///
  /// - Precondition: `value` isn't negative.
  public init(value: Int) {
    precondition(value >= 0, "a semaphore can't be made with \(value): who would be asleep?")
    counter = value
    lines = [Line(value, .made)]
  }

  /// `who` takes one from the counter: it goes on, or where there was none left, sleeps.
  ///
  /// - Precondition: `who` doesn't sleep.
  /// - Returns: The line that was added.
  @discardableResult
  public mutating func wait(_ who: String) -> Line {
    precondition(!sleepers.contains(who), "\(who) sleeps and can't wait again")
    // TODO: Count, decide whether `who` sleeps, and write the line.
    return Line(counter, .waits(who, sleeps: false))
  }

  /// `who` adds one to the counter, and wakes whoever has slept longest, if anybody sleeps.
  ///
  /// Anybody may signal, also who never waited: a semaphore doesn't know who has what. So the counter
  /// may rise above the value that it was made with.
  ///
  /// - Returns: The line that was added.
  @discardableResult
  public mutating func signal(_ who: String) -> Line {
    // TODO: Count, wake somebody or nobody, and write the line.
    return Line(counter, .signals(who, wakes: nil))
  }

  /// The time of `who` is over: it leaves the line of sleepers and puts back what it took.
  ///
  /// Nobody is woken by that. Of somebody who doesn't sleep, perhaps because it was woken just before,
  /// it means nothing.
  ///
  /// - Returns: The line that was added, or nil where `who` doesn't sleep and nothing changed.
  @discardableResult
  public mutating func giveUp(_ who: String) -> Line? {
    // TODO: If `who` sleeps, let it leave as if it had never waited, and write the line.
    return nil
  }
}
