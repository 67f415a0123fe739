// Page: make page KATA=SemaphoreLedger (Docs/ConcurrencyKatas.docc/SemaphoreLedger.md)

/// A semaphore's arithmetic on paper: the counter, who sleeps and who is woken, line by line.
///
/// No thread is blocked here. Visitors are names, and the ledger records what a semaphore would do
/// with them, so it can be read and replayed on one thread.
///
/// - Each call that changes something adds one line, with the event and the counter after it, and
///   returns that line.
/// - A copy is a ledger of its own: a change of one ledger doesn't change the other.
///
/// ```swift
/// var ledger = SemaphoreLedger(value: 1)
/// ledger.wait("Kid 1")    // 0, goes on
/// ledger.wait("Kid 2")    // -1, sleeps
/// ledger.signal("Kid 1")  // 0, wakes Kid 2
/// ```
///
/// Sleepers are woken in the order in which they fell asleep; textbooks call that a *strong*
/// semaphore. `DispatchSemaphore` counts in the same way, but its documentation promises no order.
///
/// Source: Dijkstra, *Over de sequentialiteit van procesbeschrijvingen*, 1962 or 1963, and "The
/// Structure of the 'THE'-Multiprogramming System", 1968, for the counter below zero; Apple's
/// documentation of `DispatchSemaphore`.
///
/// Your turn: write `wait`, `signal` and `giveUp`. Each changes the counter, may change `sleepers`,
/// and adds one line with the event and the counter after it; but a `giveUp` that comes too late
/// changes nothing. `wait` and `signal` are Dijkstra's operations P and V. Mind the order: decide
/// whether to count first or to check first.
public struct SemaphoreLedger: Sendable {
  /// Something that happened at the semaphore.
  public enum Event: Equatable, Sendable {
    /// The semaphore was made.
    case made
    /// This visitor waited, and either goes on or sleeps.
    case waits(String, sleeps: Bool)
    /// This visitor signalled, and woke a sleeper or none.
    case signals(String, wakes: String?)
    /// This sleeper's time was up: it goes on without what it waited for.
    case givesUp(String)
  }

  /// An event, and the counter after it.
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

    /// The line as text.
    ///
    /// - A line reads as on paper, such as "-1  Kid 2 waits, and sleeps".
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

  /// The number that the semaphore counts.
  ///
  /// - From zero up, the counter is how many may still be taken; below zero, its absolute value is
  ///   the number of sleepers.
  public private(set) var counter: Int
  /// The names of the sleepers.
  ///
  /// - In `sleepers` the visitor that has slept longest stands first.
  public private(set) var sleepers: [String] = []
  /// All lines so far.
  public private(set) var lines: [Line]

  /// Opens the ledger of a semaphore that is made with `value`.
  ///
  /// The caller must pass no negative `value`.
  ///
  /// - The first line says that the semaphore was made, with `value` as its counter.
  public init(value: Int) {
    precondition(value >= 0, "a semaphore can't be made with \(value): who would be asleep?")
    counter = value
    lines = [Line(value, .made)]
  }

  /// Records that `who` waits; the caller must name a visitor that doesn't sleep.
  ///
  /// - `wait` takes one from the counter, even if `who` has taken one before.
  /// - If there was none left to take, `who` sleeps; otherwise it goes on.
  ///
  /// - Returns: The line that was added.
  @discardableResult
  public mutating func wait(_ who: String) -> Line {
    precondition(!sleepers.contains(who), "\(who) sleeps and can't wait again")
    // TODO: Change the counter, decide whether `who` sleeps, and write the line.
    return Line(counter, .waits(who, sleeps: false))
  }

  /// Records that `who` signals.
  ///
  /// A semaphore doesn't record which visitor took what: `who` is only a name for the line.
  ///
  /// - `signal` adds one to the counter, even if it wakes a sleeper.
  /// - The counter may rise above the value that the semaphore was made with.
  /// - `signal` wakes the visitor that has slept longest, and none if there are no sleepers.
  /// - Any visitor may signal, even one that never waited, and even a sleeper, which may wake
  ///   itself in this way.
  ///
  /// - Returns: The line that was added.
  @discardableResult
  public mutating func signal(_ who: String) -> Line {
    // TODO: Change the counter, wake a sleeper if there is one, and write the line.
    return Line(counter, .signals(who, wakes: nil))
  }

  /// Records that the time of `who` is up.
  ///
  /// - If `who` sleeps, it leaves the sleepers, wherever it stands among them, and `giveUp` adds
  ///   one to the counter.
  /// - `giveUp` wakes no sleeper.
  /// - If `who` doesn't sleep, perhaps because it was woken just before, `giveUp` changes nothing
  ///   and returns nil.
  ///
  /// - Returns: The line that was added, or nil.
  @discardableResult
  public mutating func giveUp(_ who: String) -> Line? {
    // TODO: If `who` sleeps, undo its wait: it leaves as if it had never come. Write the line.
    return nil
  }
}
