import KataTesting
import Testing

extension ComputeOnceCacheTests {
  // MARK: - Every schedule

  @Test func `in every schedule a key is computed until it has a value, and then kept`() {
    explore(
      CallList(
        NumberedRenderings.subject,
        calls: [.value(for: .dawn), .value(for: .dawn, fails: true)]))
  }

  @Test func `in every schedule a computation may wait for that of another key`() {
    typealias Call = ModelledCall<NumberedRenderings, RenderingsMade>
    let noonFails = Call.value(for: .noon, fails: true)
    let dawnFromNoon = Call("value(for: Dawn) { value(for: Noon) }") {
      $0.value(for: .dawn, from: .noon)
    } model: { renderings in
      renderings.value(for: .dawn, from: .noon)
    }
    // Never returns unless Noon is computed.
    let dusk = Call("value(for: Dusk) { waits until Noon is being computed }") {
      $0.dusk()
    } step: { renderings in
      renderings.dusk()
    }
    let threads = [
      [[dusk], [dusk], [noonFails]],
      [[dawnFromNoon], [noonFails]],
      [[dawnFromNoon], [dusk]],
      [[dawnFromNoon], [dawnFromNoon], [noonFails]],
      [[dawnFromNoon], [dusk], [noonFails]],
      [[dusk, dawnFromNoon], [noonFails, dusk]],
    ]
    explore(threads.map { Scenario(NumberedRenderings.subject, threads: $0) })
  }
}

extension PhotoKey {
  fileprivate static let dusk = PhotoKey(name: "Dusk")
}

extension ModelledCall where Subject == NumberedRenderings, Model == RenderingsMade {
  fileprivate static func value(for key: PhotoKey, fails: Bool = false) -> Self {
    ModelledCall("value(for: \(key))\(fails ? ", whose computation fails" : "")") {
      $0.value(for: key, fails: fails)
    } model: { renderings in
      renderings.value(for: key, fails: fails)
    }
  }
}

/// A cache whose computations are numbered for each key, and a gate that opens when Noon is being
/// computed.
private final class NumberedRenderings: Sendable, OpaqueMirror {
  private let cache = ComputeOnceCache<PhotoKey, String>()
  private let ended = LockedValue<[PhotoKey: Int]>([:])
  private let noonHasBegun = Gate("Noon is being computed")

  static let subject = ModelledSubject<NumberedRenderings, RenderingsMade>(
    model: RenderingsMade(), { NumberedRenderings() },
    end: { RenderingsMade.list($0.ended.value) }, modelEnd: { RenderingsMade.list($0.ended) },
    tearDown: { $0.noonHasBegun.open() })

  func value(for key: PhotoKey, fails: Bool = false) -> String {
    answer(key) {
      if key == .noon { noonHasBegun.open() }
      return try end(key, fails: fails)
    }
  }

  func value(for key: PhotoKey, from other: PhotoKey) -> String {
    answer(key) {
      let source = value(for: other)
      return try end(key) + " from " + source
    }
  }

  func dusk() -> String {
    answer(.dusk) {
      noonHasBegun.wait()
      return try end(.dusk)
    }
  }

  private func end(_ key: PhotoKey, fails: Bool = false) throws -> String {
    let number = ended.withLock { ended in
      ended[key, default: 0] += 1
      return ended[key, default: 0]
    }
    if fails { throw RenderingFailed(attempt: number) }
    return "\(key) \(number)"
  }

  /// The value, or which computation has failed.
  private func answer(_ key: PhotoKey, _ compute: () throws -> String) -> String {
    do {
      return try cache.value(for: key, compute: compute)
    } catch {
      return (error as? RenderingFailed).map { "\(key) \($0.attempt) failed" } ?? "\(error)"
    }
  }
}

/// Callers come one after another, and each computes a key that has no value.
private struct RenderingsMade: Sendable {
  private(set) var ended: [PhotoKey: Int] = [:]
  private var values: [PhotoKey: String] = [:]

  mutating func value(
    for key: PhotoKey, from other: PhotoKey? = nil, fails: Bool = false
  ) -> String {
    if let value = values[key] { return value }
    let source = other.map { " from " + value(for: $0) } ?? ""
    ended[key, default: 0] += 1
    let name = "\(key) \(ended[key, default: 0])"
    if fails { return name + " failed" }
    values[key] = name + source
    return name + source
  }

  mutating func dusk() -> ModelStep<String> {
    if values[.dusk] == nil, ended[.noon] == nil { return .waits }
    return .returns(value(for: .dusk))
  }

  static func list(_ ended: [PhotoKey: Int]) -> String {
    "computations: "
      + ended.map { "\($0.value) of \($0.key)" }.sorted().joined(separator: ", ")
  }
}
