import Dispatch
import KataTesting
import Testing

extension CallbackGathererTests {
  // MARK: - Every schedule

  @Test func `in every schedule each request has one result, and all come together`() {
    explore(
      [
        [[Self.gather, Self.answer("a", 1)], [Self.answer("b", 1)]],
        [[Self.gather], [Self.answer("a", 1)], [Self.answer("b", 1)]],
        [[Self.gather], [Self.answer("a", 1), Self.answer("a", 2)], [Self.answer("b", 1)]],
        [[Self.gather], [Self.answer("a", 1)], [Self.answer("a", 2)]],
        [[Self.gather], [Self.answer("a", 1)], [Self.answer("a", 2)], [Self.answer("b", 1)]],
      ].map { Self.scenario([], $0) })
  }

  @Test func `in every schedule an error that the API throws counts when it's thrown`() {
    explore(
      [
        [[Self.gather, Self.answer("a", 1)], [Self.answer("b", 1)]],
        [[Self.gather, Self.answer("a", 1), Self.answer("b", 1)]],
        [[Self.gather], [Self.answer("a", 1), Self.answer("b", 1)]],
        [[Self.gather], [Self.answer("a", 1)], [Self.answer("a", 2)], [Self.answer("b", 1)]],
      ].map { Self.scenario(["a"], $0) })
  }

  private typealias Call = ModelledCall<ScheduledAPI, GatherModel>

  private static func scenario(
    _ throwing: Set<String>, _ threads: [[Call]]
  ) -> Scenario<ScheduledAPI, GatherModel> {
    Scenario(
      ModelledSubject(
        model: GatherModel(throwing: throwing), { ScheduledAPI(throwing: throwing) },
        end: { "delivered: \($0.deliveries)" }, modelEnd: { "delivered: \($0.deliveries)" },
        tearDown: { $0.stop() }),
      threads: threads)
  }

  private static var gather: Call {
    Call("gather([a, b])") {
      $0.gather()
    } model: {
      $0.gather()
    }
  }

  private static func answer(_ request: String, _ number: Int) -> Call {
    Call("\(request)'s callback, \(number)") {
      $0.answer(request, number)
    } model: {
      $0.take("\(request)\(number)", for: request)
    }
  }
}

/// The results of two requests, each the first that came.
///
/// A callback may come before the API returns or throws. So here it may come before the gather, too,
/// though in a run it waits until the API has been called.
private struct GatherModel: Sendable {
  let throwing: Set<String>
  private var hasGathered = false
  private var results: [String: String] = [:]

  init(throwing: Set<String>) { self.throwing = throwing }

  mutating func gather() {
    hasGathered = true
    for request in throwing { take("error", for: request) }
  }

  mutating func take(_ result: String, for request: String) {
    if results[request] == nil { results[request] = result }
  }

  var deliveries: [[String]] {
    guard hasGathered, let a = results["a"], let b = results["b"] else { return [] }
    return [[a, b]]
  }
}

/// An API whose callbacks the scenario's threads call, a gatherer for it, and what is delivered.
private final class ScheduledAPI: Sendable, OpaqueMirror {
  typealias Gatherer = CallbackGatherer<String, String>

  private let throwing: Set<String>
  private let asked = ["a": Gate("a is asked"), "b": Gate("b is asked")]
  private let callbacks = LockedValue<[String: Gatherer.Callback]>([:])
  private let delivered = LockedValue<[[String]]>([])
  private let queue = DispatchQueue(label: "katas.spec.callback-gatherer.scheduled")

  init(throwing: Set<String>) { self.throwing = throwing }

  var deliveries: [[String]] { delivered.value }

  func gather() {
    let gatherer = Gatherer { [throwing, asked, callbacks] request, callback in
      callbacks.withLock { $0[request] = callback }
      asked[request]?.open()
      if throwing.contains(request) { throw BrokenRequest() }
    }
    gatherer.gather(["a", "b"], deliverOn: queue) { [delivered] results in
      delivered.append(results.map { (try? $0.get()) ?? "error" })
    }
  }

  /// Calls back as soon as the API has been called.
  func answer(_ request: String, _ number: Int) {
    asked[request]?.wait()
    callbacks.value[request]?(.success("\(request)\(number)"))
  }

  /// Lets calls return that wait for an API that was never called, and releases all callbacks.
  func stop() {
    for gate in asked.values { gate.open() }
    callbacks.set([:])
  }
}
