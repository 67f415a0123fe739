/// Only the lines are stored: counter and sleepers are computed from them.
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

  public private(set) var lines: [Line]

  public var counter: Int { lines.last?.counter ?? 0 }

  public var sleepers: [String] {
    var sleepers: [String] = []
    for line in lines {
      switch line.event {
      case .waits(let who, sleeps: true): sleepers.append(who)
      case .signals(_, wakes: let who?), .givesUp(let who): sleepers.removeAll { $0 == who }
      default: break
      }
    }
    return sleepers
  }

  public init(value: Int) {
    precondition(value >= 0, "a semaphore can't be made with \(value): who would be asleep?")
    lines = [Line(value, .made)]
  }

  @discardableResult
  public mutating func wait(_ who: String) -> Line {
    write(counter - 1, .waits(who, sleeps: counter <= 0))
  }

  @discardableResult
  public mutating func signal(_ who: String) -> Line {
    write(counter + 1, .signals(who, wakes: sleepers.first))
  }

  @discardableResult
  public mutating func giveUp(_ who: String) -> Line? {
    sleepers.contains(who) ? write(counter + 1, .givesUp(who)) : nil
  }

  private mutating func write(_ counter: Int, _ event: Event) -> Line {
    let line = Line(counter, event)
    lines.append(line)
    return line
  }
}
