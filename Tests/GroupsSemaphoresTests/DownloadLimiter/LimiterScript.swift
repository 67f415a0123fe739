import KataTesting

/// The model: a line, and as many downloads in flight as the limit allows.
struct LimiterScript: ScriptedModel {
  enum Move: CustomStringConvertible, Sendable {
    case submit(DownloadCourse)
    case finishOldest
    case finishNewest
    case finishAgain

    var description: String {
      switch self {
      case .submit(let course): "submit a download that \(course.rawValue)"
      case .finishOldest: "the download that is longest in flight finishes"
      case .finishNewest: "the download that started last finishes"
      case .finishAgain: "the download that finished last calls finished again"
      }
    }
  }

  private static let limit = 2
  private let downloads = Downloads(limit: limit)
  private var submitted = 0
  private var line: [(name: String, course: DownloadCourse)] = []
  private var inFlight: [String] = []
  private var started: [String] = []
  private var lastFinished: String?

  var timeline: Timeline { downloads.timeline }

  func moves() -> [Move] {
    // Two in line are enough to see their order.
    var moves = line.count < 2 ? DownloadCourse.allCases.map(Move.submit) : []
    if !inFlight.isEmpty { moves += [.finishOldest, .finishNewest] }
    if lastFinished != nil { moves.append(.finishAgain) }
    return moves
  }

  mutating func make(_ move: Move) {
    switch move {
    case .submit(let course):
      submitted += 1
      let name = "download \(submitted)"
      line.append((name, course))
      _ = TestThread("submit") { [downloads] in downloads.add(name, course) }
    case .finishOldest: if !inFlight.isEmpty { finish(inFlight.removeFirst()) }
    case .finishNewest: if !inFlight.isEmpty { finish(inFlight.removeLast()) }
    case .finishAgain: if let lastFinished { downloads.finish(lastFinished, again: true) }
    }
    startWhatMay()
  }

  func broken() -> String? {
    if timeline.inside.count > Self.limit {
      return """
        The limit is \(Self.limit), and \(timeline.inside.count) downloads are in flight: \
        \(timeline.inside.joined(separator: ", ")).
        """
    }
    if timeline.orderOfEntry != started {
      return """
        With a limit of \(Self.limit) these must have started by now, in this order: \
        \(list(started)). These have: \(list(timeline.orderOfEntry)).
        """
    }
    return nil
  }

  private mutating func finish(_ name: String) {
    lastFinished = name
    downloads.finish(name)
  }

  private mutating func startWhatMay() {
    while inFlight.count < Self.limit, !line.isEmpty {
      let next = line.removeFirst()
      started.append(next.name)
      if next.course == .stays { inFlight.append(next.name) }
    }
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
