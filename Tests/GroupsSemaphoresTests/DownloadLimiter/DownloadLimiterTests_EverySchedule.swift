import Foundation
import KataTesting
import Testing

extension DownloadLimiterTests {
  // MARK: - Every schedule

  @Test func `in every schedule downloads start in line, as many as the limit allows`() {
    let (a, b, c, d) = (submit("a"), submit("b"), submit("c"), submit("d"))
    explore([
      scenario(limit: 2, [[a, b, c, d, finish("b")], [finish("a")]]),
      scenario(limit: 1, [[a], [b]]),
      scenario(limit: 1, [[a, finish("a")], [b]]),
      scenario(limit: 1, [[a, b], [finish("a")], [c]]),
      scenario(limit: 2, [[a], [b], [c]]),
      scenario(limit: 2, [[a, b, c, d], [finish("a")], [finish("b")]]),
    ])
  }

  @Test func `in every schedule a slot is freed once`() {
    let (a, b, c) = (submit("a"), submit("b"), submit("c"))
    let failing = submit("a", throwing: true)
    explore([
      scenario(limit: 1, [[a, finish("a")], [finish("a")]]),
      scenario(limit: 1, [[a, b, c], [finish("a")], [finish("a")]]),
      scenario(limit: 1, [[failing, b, c], [finish("a")], [fail("a")]]),
      scenario(limit: 1, [[a, b], [finish("a"), finish("b")], [release, finish("a")]]),
    ])
  }

  private func scenario(
    limit: Int, _ threads: [[ModelledCall<ControlledDownloads, LimiterModel>]]
  ) -> Scenario<ControlledDownloads, LimiterModel> {
    let subject = ModelledSubject(
      model: LimiterModel(limit: limit), { ControlledDownloads(limit: limit) },
      end: { $0.text }, modelEnd: { "started: \($0.started)" },
      tearDown: { $0.endAll() })
    return Scenario(subject, threads: threads)
  }

  private func submit(
    _ name: String, throwing: Bool = false
  ) -> ModelledCall<ControlledDownloads, LimiterModel> {
    ModelledCall("submit(\(name))") {
      $0.submit(name, throwing: throwing)
    } model: {
      $0.submit(name)
    }
  }

  private func finish(_ name: String) -> ModelledCall<ControlledDownloads, LimiterModel> {
    ModelledCall("\(name) calls finished") {
      $0.finish(name)
    } step: {
      $0.end(name)
    }
  }

  private func fail(_ name: String) -> ModelledCall<ControlledDownloads, LimiterModel> {
    ModelledCall("\(name) throws") {
      $0.fail(name)
    } step: {
      $0.end(name)
    }
  }

  private var release: ModelledCall<ControlledDownloads, LimiterModel> {
    ModelledCall("the limiter is released") {
      $0.release()
    } model: {
      $0.isReleased = true
    }
  }
}

/// A download starts as soon as a slot is free: no call but its own end waits for that.
private struct LimiterModel: Sendable {
  private(set) var started: [String] = []
  var isReleased = false
  private var inFlight: [String] = []
  private var line: [String] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func submit(_ name: String) {
    guard !isReleased else { return }
    line.append(name)
    startWhatMay()
  }

  /// The download ends, by `finished` or by an error, unless it already has; it must have begun.
  mutating func end(_ name: String) -> ModelStep<Void> {
    guard started.contains(name) else { return .waits }
    inFlight.removeAll { $0 == name }
    startWhatMay()
    return .returns
  }

  private mutating func startWhatMay() {
    while inFlight.count < limit, !line.isEmpty {
      started.append(line[0])
      inFlight.append(line.removeFirst())
    }
  }
}

/// Downloads that end when a call of the scenario ends them, and a limiter for them.
private final class ControlledDownloads: Sendable, OpaqueMirror {
  private struct State {
    var inLine = 0
    var started: [String] = []
    var ended: Set<String> = []
    var finishers: [String: @Sendable () -> Void] = [:]
    var isAboveLimit = false
    var isOver = false
  }

  private let limit: Int
  private let limiter: LockedValue<DownloadLimiter?>
  private let state = LockedValue(State())
  private let begins: [String: Gate]
  private let failure = Gate("the download throws")

  init(limit: Int) {
    self.limit = limit
    limiter = LockedValue(DownloadLimiter(limit: limit))
    begins = Dictionary(
      uniqueKeysWithValues: ["a", "b", "c", "d"].map { ($0, Gate("\($0) begins")) })
  }

  var text: String {
    let state = state.value
    return "started: \(state.started)\(state.isAboveLimit ? ", too many at once" : "")"
  }

  func submit(_ name: String, throwing: Bool) {
    guard let limiter = limiter.value else { return }
    state.withLock { $0.inLine += 1 }
    limiter.submit { [self] finished in
      guard begin(name, finished) else { return finished() }
      guard throwing else { return }
      failure.wait()
      throw BrokenDownload()
    }
  }

  func finish(_ name: String) { end(name)?() }

  func fail(_ name: String) {
    _ = end(name)
    failure.open()
  }

  func release() { limiter.set(nil) }

  /// Ends all downloads, and returns when none is in line.
  func endAll() {
    state.withLock { $0.isOver = true }
    for gate in begins.values { gate.open() }
    failure.open()
    // On a thread of its own, and with a timeout, for a wrong one may never return. It proves nothing:
    // what is still running then only passes places in the next run.
    let end = TestThread("the end of all downloads") { [self] in
      for finished in state.value.finishers.values { finished() }
    }
    for _ in 1...1000 where !end.hasReturned || state.value.inLine > 0 { usleep(20) }
    state.withLock { $0.finishers = [:] }
    limiter.set(nil)
  }

  /// Notes that a download has been started; returns false if the run is over.
  private func begin(_ name: String, _ finished: @escaping @Sendable () -> Void) -> Bool {
    defer { begins[name]?.open() }
    return state.withLock { state in
      state.inLine -= 1
      guard !state.isOver else { return false }
      state.started.append(name)
      state.finishers[name] = finished
      if state.started.count - state.ended.count > limit { state.isAboveLimit = true }
      return true
    }
  }

  /// Waits until the download has begun, notes that it ends, and returns its `finished`.
  private func end(_ name: String) -> (@Sendable () -> Void)? {
    begins[name]?.wait()
    return state.withLock { state in
      state.ended.insert(name)
      return state.finishers[name]
    }
  }
}
