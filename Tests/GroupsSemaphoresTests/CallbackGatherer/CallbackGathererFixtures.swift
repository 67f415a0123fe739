import Dispatch
import KataTesting
import Testing

struct BrokenRequest: Error {}

/// What the API does when it is called.
///
/// Without any of these it returns, and the spec calls back.
struct Manner: Sendable {
  let act: @Sendable (AskedAPI, _ request: String) throws -> Void

  /// It calls back before it returns.
  static let atOnce = Self { $0.callBack($1) }
  /// It throws, and never calls back.
  static let throwing = Self { api, request in
    api.timeline.leave(request)
    throw BrokenRequest()
  }
  /// It calls back, then throws.
  static let atOnceAndThrowing = Self { api, request in
    api.callBack(request)
    throw BrokenRequest()
  }
  /// Another thread calls back, and the API returns when it has.
  static let elsewhere = Self { api, request in
    let hasAnswered = Gate("the callback has come")
    _ = TestThread("the callback") {
      api.callBack(request)
      hasAnswered.open()
    }
    hasAnswered.wait()
  }
  /// It returns, and releases the callback without calling it.
  static let forgetful = Self { $0.forget($1) }
}

/// An API whose callbacks the spec calls, and a gatherer that calls this API.
///
/// Requests are named; results are shown as words, such as "value of a" or "error".
final class AskedAPI: Sendable, OpaqueMirror {
  typealias Gatherer = CallbackGatherer<String, String>

  let timeline = Timeline()
  let deliveries = DispatchQueue(label: "katas.spec.callback-gatherer.deliveries")
  private let places: Places
  /// The thread that calls `gather`, while it does.
  let caller = LockedValue<ThreadMark?>(nil)
  private let manners: [String: Manner]
  private let callbacks = LockedValue<[String: Gatherer.Callback]>([:])
  private let delivered = LockedValue<[String: [[String]]]>([:])

  /// An API that calls back later, except for the requests that have a manner.
  init(_ manners: [String: Manner] = [:]) {
    self.manners = manners
    places = Places(["delivered": deliveries])
  }

  var gatherer: Gatherer {
    Gatherer { [self] request, callback in
      callbacks.withLock { $0[request] = callback }
      timeline.enter(request)
      if caller.value?.isCurrent != true { timeline.mark(request, "asked on another thread") }
      try manners[request]?.act(self, request)
    }
  }

  /// Gathers on a thread of its own, which must return; what is delivered goes to `name`.
  func gather(
    _ requests: [String], with gatherer: Gatherer? = nil, name: String = "delivery",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let gatherer = gatherer ?? self.gatherer
    try mustReturn(
      "gather",
      """
      It mustn't wait for a callback, which may need this very thread. And no lock may be held while \
      the API is called: it may call back before it returns.
      """,
      sourceLocation: sourceLocation
    ) { [self] in
      caller.set(.current())
      // A mark retains its thread, and the thread retains the gatherer.
      defer { caller.set(nil) }
      gatherer.gather(requests, deliverOn: deliveries) { [self] results in
        timeline.mark(name, places.current)
        let words = results.map { (try? $0.get()) ?? "error" }
        delivered.withLock { $0[name, default: []].append(words) }
      }
    }
  }

  /// The callback that the API was given; nil before it was called.
  func callback(of request: String) -> Gatherer.Callback? { callbacks.value[request] }

  /// Calls back for `request`, on this thread.
  func callBack(_ request: String) {
    timeline.leave(request)
    callback(of: request)?(.success("value of \(request)"))
  }

  func forget(_ request: String) {
    timeline.leave(request)
    callbacks.withLock { $0[request] = nil }
  }

  /// Calls back for `request`, on a thread of its own.
  func answer(
    _ request: String, _ result: Result<String, any Error>? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let call = try #require(
      callback(of: request), "The API was never called for \(request).",
      sourceLocation: sourceLocation)
    timeline.leave(request)
    try mustReturn("the callback", sourceLocation: sourceLocation) {
      call(result ?? .success("value of \(request)"))
    }
  }

  /// What was delivered so far, each delivery a list of words.
  func deliveries(to name: String = "delivery") -> [[String]] { delivered.value[name] ?? [] }

  func expectNothingYet(
    _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    runUntilQuiet(sourceLocation: sourceLocation)
    try #require(
      deliveries().isEmpty, timeline.showing("\(sentence) Delivered so far: \(deliveries())."),
      sourceLocation: sourceLocation)
  }

  /// Waits for the delivery, which must come once, with `words`.
  func expect(
    _ words: [String], in name: String = "delivery", _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    runUntilQuiet(sourceLocation: sourceLocation)
    let came = deliveries(to: name)
    let problem =
      came.isEmpty
      ? "But nothing was delivered." : "Delivered must be \(words), once; it was \(came)."
    #expect(
      came == [words], timeline.showing("\(sentence) \(problem)"), sourceLocation: sourceLocation)
  }
}
