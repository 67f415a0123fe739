/// The visits, waits and marks of one participant of a timeline, by column.
struct TimelineRow {
  /// A time inside, between two columns.
  struct Visit: Equatable {
    /// The column of the entry; nil if it isn't among the events.
    var start: Int?
    /// The column of leaving; nil if the participant is still inside.
    var end: Int?
  }

  /// A time of waiting.
  struct Wait: Equatable {
    let start: Int
    /// The column of the entry, or of giving up; nil if the participant still waits.
    var end: Int?
  }

  /// A part of a visit during which the participant was inside several times.
  struct Nesting: Equatable {
    var start: Int?
    var end: Int?
    let depth: Int
  }

  /// A mark and its column.
  struct Mark: Equatable {
    let column: Int
    let what: String
  }

  let who: String
  private(set) var visits: [Visit] = []
  private(set) var waits: [Wait] = []
  private(set) var nestings: [Nesting] = []
  private(set) var marks: [Mark] = []

  init(_ who: String, in events: [TimelineEvent]) {
    self.who = who
    var depth = Self.depthBefore(who, events)
    if depth > 0 { visits = [Visit()] }
    if depth > 1 { nestings = [Nesting(depth: depth)] }
    for (column, event) in events.enumerated() where event.who == who {
      switch event.kind {
      case .mark(let what):
        marks.append(Mark(column: column, what: what))
        continue
      case .asked:
        if depth == 0 { waits.append(Wait(start: column)) }
        continue
      case .entered:
        depth += 1
        if let last = waits.indices.last, waits[last].end == nil { waits[last].end = column }
        if depth == 1 { visits.append(Visit(start: column)) }
      case .left:
        if depth == 0, let last = waits.indices.last, waits[last].end == nil {
          waits[last].end = column
          continue
        }
        depth -= 1
        if depth == 0 { visits[visits.count - 1].end = column }
      }
      if let last = nestings.indices.last, nestings[last].end == nil {
        nestings[last].end = column
      }
      if depth > 1 { nestings.append(Nesting(start: column, depth: depth)) }
    }
  }

  /// How often `who` must have been inside before the first event, if there are more exits than
  /// entries.
  private static func depthBefore(_ who: String, _ events: [TimelineEvent]) -> Int {
    var depth = 0
    var lowest = 0
    var isWaiting = false
    for event in events where event.who == who {
      switch event.kind {
      case .asked: isWaiting = depth <= 0
      case .entered:
        depth += 1
        isWaiting = false
      case .left:
        if !isWaiting { depth -= 1 }
        isWaiting = false
      case .mark: break
      }
      lowest = min(lowest, depth)
    }
    return -lowest
  }
}
