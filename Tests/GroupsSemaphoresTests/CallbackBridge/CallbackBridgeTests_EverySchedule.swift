import Dispatch
import KataTesting
import Testing

extension CallbackBridgeTests {
  // MARK: - Every schedule

  @Test func `in every schedule a call returns what its first callback brings`() {
    let inNoTime = Call("value(for: a, within: 0)") {
      $0.value(for: "a", within: 0)
    } model: {
      $0.valueAtOnce(for: "a")
    }
    let (one, two, error) = (reply("a", "1"), reply("a", "2"), reply("a", nil))
    let threads = [
      [[value("a")], [one, two]],
      [[value("a")], [error, one]],
      [[inNoTime], [one]],
      [[value("a")], [one], [two]],
      [[value("a")], [one], [error]],
      [[value("a")], [value("b")], [reply("b", "3"), one]],
    ]
    let subject = ModelledSubject<HeldReplies, FirstReplies>(
      model: FirstReplies(), { HeldReplies() }, tearDown: { $0.startAll() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }

  private typealias Call = ModelledCall<HeldReplies, FirstReplies>

  private func value(_ request: String) -> Call {
    Call("value(for: \(request))") {
      $0.value(for: request)
    } step: {
      $0.value(for: request)
    }
  }

  /// A value, or an error if that is nil.
  private func reply(_ request: String, _ value: String?) -> Call {
    Call("callback of \(request) with \(value ?? "an error")") {
      $0.reply(to: request, value)
    } model: {
      $0.reply(to: request, value)
    }
  }
}

/// A bridge for two requests, whose callbacks come when the spec says so.
private final class HeldReplies: Sendable, OpaqueMirror {
  private typealias Bridge = CallbackBridge<String, String>

  /// A request that may have been started.
  private struct Held: Sendable {
    let reply = LockedValue<Bridge.Reply?>(nil)
    let isStarted = DispatchSemaphore(value: 0)
  }

  private let bridge: Bridge
  private let requests: [String: Held]

  init() {
    let requests = ["a": Held(), "b": Held()]
    self.requests = requests
    bridge = Bridge { request, reply in
      requests[request]?.reply.set(reply)
      requests[request]?.isStarted.signal()
    }
  }

  func value(for request: String, within seconds: Double = .infinity) -> String {
    do {
      return try bridge.value(for: request, within: seconds)
    } catch {
      return error is BrokenLens ? "an error" : "\(error)"
    }
  }

  /// Waits until the request has been started, then calls back.
  func reply(to request: String, _ value: String?) {
    guard let held = requests[request] else { return }
    held.isStarted.wait()
    held.isStarted.signal()
    held.reply.value? {
      guard let value else { throw BrokenLens() }
      return value
    }
  }

  func startAll() { for held in requests.values { held.isStarted.signal() } }
}

/// The first callback of each request.
private struct FirstReplies: Sendable {
  private var results: [String: String] = [:]

  mutating func reply(to request: String, _ value: String?) {
    results[request] = results[request] ?? value ?? "an error"
  }

  func valueAtOnce(for request: String) -> String { results[request] ?? "timedOut" }

  func value(for request: String) -> ModelStep<String> {
    results[request].map { .returns($0) } ?? .waits
  }
}
