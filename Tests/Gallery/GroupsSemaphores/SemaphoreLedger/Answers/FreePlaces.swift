/// Free places and a queue of sleepers, one of which is always empty; the counter is their difference.
public struct SemaphoreLedger: Sendable {
  public enum Event: Equatable, Sendable {
    case made
    case waits(String, sleeps: Bool)
    case signals(String, wakes: String?)
    case givesUp(String)
  }

  public struct Line: Equatable, Sendable, CustomStringConvertible {
    public let event: Event
    public let counter: Int

    public init(_ counter: Int, _ event: Event) {
      self.counter = counter
      self.event = event
    }

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

  private var free: Int
  public private(set) var sleepers: [String] = []
  public private(set) var lines: [Line] = []

  public var counter: Int { free - sleepers.count }

  public init(value: Int) {
    precondition(value >= 0, "a semaphore can't be made with \(value): who would be asleep?")
    free = value
    write(.made)
  }

  @discardableResult
  public mutating func wait(_ who: String) -> Line {
    if free > 0 {
      free -= 1
      return write(.waits(who, sleeps: false))
    }
    sleepers.append(who)
    return write(.waits(who, sleeps: true))
  }

  @discardableResult
  public mutating func signal(_ who: String) -> Line {
    guard let first = sleepers.first else {
      free += 1
      return write(.signals(who, wakes: nil))
    }
    sleepers.removeFirst()
    return write(.signals(who, wakes: first))
  }

  @discardableResult
  public mutating func giveUp(_ who: String) -> Line? {
    guard sleepers.contains(who) else { return nil }
    sleepers.removeAll { $0 == who }
    return write(.givesUp(who))
  }

  @discardableResult
  private mutating func write(_ event: Event) -> Line {
    lines.append(Line(counter, event))
    return lines[lines.count - 1]
  }
}
