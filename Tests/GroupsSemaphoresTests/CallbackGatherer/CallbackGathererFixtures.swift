import Dispatch
import Foundation
import KataTesting
import Testing

/// What the API does when it is asked.
enum Manner: Sendable {
  /// It returns; the spec calls back.
  case later
  /// It calls back before it returns.
  case atOnce
  /// It throws, and never calls back.
  case throwing
  /// It calls back, then throws.
  case atOnceAndThrowing
  /// Another thread calls back, and the API returns when it has.
  case elsewhere
  /// It stays until the gate opens, and returns; the spec calls back.
  case until(Gate)
  /// It returns and lets go of the callback.
  case forgetful
}

struct BrokenRequest: Error {}

/// An API that the spec answers for, and a gatherer that asks it.
///
/// Requests are named; results are shown as words, such as "value of a" or "error".
final class AskedAPI: Sendable, OpaqueMirror {
  typealias Gatherer = CallbackGatherer<String, String>

  /// Marks the thread that gather is called on, in its dictionary.
  private static let caller = "katas.spec.callback-gatherer.caller"

  let timeline = Timeline()
  let deliveries = DispatchQueue(label: "katas.spec.callback-gatherer.deliveries")
  private let key = DispatchSpecificKey<Bool>()
  private let manners: [String: Manner]
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var callbacks: [String: Gatherer.Callback] = [:]
  private nonisolated(unsafe) var delivered: [String: [[String]]] = [:]

  /// An API that answers later, but for the requests of another manner.
  init(_ manners: [String: Manner] = [:]) {
    self.manners = manners
    deliveries.setSpecific(key: key, value: true)
  }

  var gatherer: Gatherer {
    Gatherer { [self] request, callback in
      let manner = manners[request] ?? .later
      if case .forgetful = manner {
        timeline.visit(request) {}
        return
      }
      lock.withLock { callbacks[request] = callback }
      timeline.enter(request)
      if Thread.current.threadDictionary[Self.caller] == nil {
        timeline.mark(request, "asked on another thread")
      }
      switch manner {
      case .later, .forgetful: break
      case .until(let gate): gate.wait()
      case .elsewhere:
        let hasAnswered = Gate("the callback has come")
        _ = TestThread("the callback") { [self] in
          answerAtOnce(request)
          hasAnswered.open()
        }
        hasAnswered.wait()
      case .atOnce: answerAtOnce(request)
      case .throwing:
        timeline.leave(request)
        throw BrokenRequest()
      case .atOnceAndThrowing:
        answerAtOnce(request)
        throw BrokenRequest()
      }
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
      It asks for everything and returns; who waits for the callbacks here may wait for a thread \
      that is this one. And no lock may be held while the API is called: it may call back at once.
      """,
      sourceLocation: sourceLocation
    ) { [self] in
      Thread.current.threadDictionary[Self.caller] = true
      gatherer.gather(requests, deliverOn: deliveries) { [self] results in
        let isThere = DispatchQueue.getSpecific(key: key) == true
        timeline.mark(name, isThere ? "delivered" : "delivered on another queue")
        lock.withLock { delivered[name, default: []].append(results.map(Self.word)) }
      }
    }
  }

  private func answerAtOnce(_ request: String) {
    timeline.leave(request)
    callback(of: request)?(.success("value of \(request)"))
  }

  /// What the API was given to call back; nil before it was asked.
  func callback(of request: String) -> Gatherer.Callback? {
    lock.withLock { callbacks[request] }
  }

  /// Calls back for `request`, on a thread of its own.
  func answer(
    _ request: String, _ result: Result<String, any Error>? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let call = try #require(
      callback(of: request), "The API was never asked for \(request).",
      sourceLocation: sourceLocation)
    timeline.leave(request)
    try mustReturn("the callback", sourceLocation: sourceLocation) {
      call(result ?? .success("value of \(request)"))
    }
  }

  /// What was delivered so far, each delivery a list of words.
  func deliveries(to name: String = "delivery") -> [[String]] {
    lock.withLock { delivered[name] ?? [] }
  }

  static func word(_ result: Result<String, any Error>) -> String {
    switch result {
    case .success(let value): value
    case .failure: "error"
    }
  }

  func expectNothingYet(
    _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    runUntilQuiet(sourceLocation: sourceLocation)
    try #require(
      deliveries().isEmpty, timeline.showing("\(sentence) Delivered was: \(deliveries())."),
      sourceLocation: sourceLocation)
  }

  /// Waits for the delivery, which must come once, with `words`.
  func expect(
    _ words: [String], in name: String = "delivery", _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let came = eventually(
      timeline.showing("\(sentence) And nothing was ever delivered."),
      sourceLocation: sourceLocation
    ) { !deliveries(to: name).isEmpty }
    guard came else { return }
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      deliveries(to: name) == [words],
      timeline.showing(
        "\(sentence) Delivered must be \(words), once; it was \(deliveries(to: name))."),
      sourceLocation: sourceLocation)
  }
}
