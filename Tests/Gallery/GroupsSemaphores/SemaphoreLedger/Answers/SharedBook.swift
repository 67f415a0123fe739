/// A struct that holds the ledger in an object of a class: copies share that object.
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

  // Safe: used on one thread; shared by copies, and that is the mistake.
  private final class Book: @unchecked Sendable {
    var counter: Int
    var sleepers: [String] = []
    var lines: [Line]

    init(value: Int) {
      counter = value
      lines = [Line(value, .made)]
    }

    func write(_ event: Event) -> Line {
      let line = Line(counter, event)
      lines.append(line)
      return line
    }
  }

  private let book: Book

  public var counter: Int { book.counter }
  public var sleepers: [String] { book.sleepers }
  public var lines: [Line] { book.lines }

  public init(value: Int) {
    precondition(value >= 0, "a semaphore can't be made with \(value): who would be asleep?")
    book = Book(value: value)
  }

  @discardableResult
  public mutating func wait(_ who: String) -> Line {
    book.counter -= 1
    if book.counter < 0 { book.sleepers.append(who) }
    return book.write(.waits(who, sleeps: book.counter < 0))
  }

  @discardableResult
  public mutating func signal(_ who: String) -> Line {
    book.counter += 1
    let woken = book.counter <= 0 ? book.sleepers.removeFirst() : nil
    return book.write(.signals(who, wakes: woken))
  }

  @discardableResult
  public mutating func giveUp(_ who: String) -> Line? {
    guard let place = book.sleepers.firstIndex(of: who) else { return nil }
    book.sleepers.remove(at: place)
    book.counter += 1
    return book.write(.givesUp(who))
  }
}
