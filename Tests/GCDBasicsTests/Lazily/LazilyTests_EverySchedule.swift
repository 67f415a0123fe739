import KataTesting
import Testing

extension LazilyTests {
  // MARK: - Every schedule

  @Test func `in every schedule one attempt follows another until one succeeds`() {
    explore(
      CallList(
        ModelledSubject(
          model: AttemptsMade(), { NumberedAttempts(failures: 1) },
          end: { $0.summary }, modelEnd: { $0.summary }),
        calls: [
          ModelledCall("value") { subject in
            answer { try subject.lazily.value }
          } model: { made in
            made.ask(failures: 1)
          }
        ]))
  }

  @Test func `in every schedule a computation may ask for another value`() {
    explore(
      CallList(
        ModelledSubject(
          model: SeedAndTree(), { Orchard() }, end: { $0.summary }, modelEnd: { $0.summary }),
        calls: [
          ModelledCall("seed.value") { orchard in
            answer { try orchard.seed.lazily.value }
          } model: { made in
            made.seed.ask(failures: 1)
          },
          ModelledCall("tree.value") { orchard in
            answer { try orchard.tree.value }
          } model: { made in
            made.askForTree()
          },
        ]))
  }
}

// MARK: - Fixtures

/// A value whose first attempts fail; it's the number of the attempt that succeeds.
private final class NumberedAttempts: Sendable, OpaqueMirror {
  let lazily: Lazily<Int>
  private let attempts = SharedCounter()

  init(failures: Int) {
    lazily = Lazily { [attempts] in
      let attempt = attempts.increment()
      if attempt <= failures { throw Failure(attempt: attempt) }
      return attempt
    }
  }

  var summary: String { "attempts: \(attempts.value)" }
}

/// Two values, one of which is computed from the other.
private final class Orchard: Sendable, OpaqueMirror {
  let seed = NumberedAttempts(failures: 1)
  let tree: Lazily<Int>
  private let treeAttempts = SharedCounter()

  init() {
    tree = Lazily { [seed, treeAttempts] in
      treeAttempts.increment()
      return try seed.lazily.value * 10
    }
  }

  var summary: String { "seed: \(seed.summary), tree: attempts: \(treeAttempts.value)" }
}

/// What a call returns: the value, or which attempt has failed.
private func answer(_ ask: () throws -> Int) -> String {
  do {
    return "\(try ask())"
  } catch {
    return (error as? Failure).map { "error of attempt \($0.attempt)" } ?? "\(error)"
  }
}

// MARK: - Models

/// Callers come one after another, and each makes an attempt until there is a value.
private struct AttemptsMade: Sendable {
  private(set) var value: Int?
  private var attempts = 0

  mutating func ask(failures: Int) -> String {
    if let value { return "\(value)" }
    attempts += 1
    if attempts <= failures { return "error of attempt \(attempts)" }
    value = attempts
    return "\(attempts)"
  }

  var summary: String { "attempts: \(attempts)" }
}

private struct SeedAndTree: Sendable {
  var seed = AttemptsMade()
  private var tree: Int?
  private var treeAttempts = 0

  mutating func askForTree() -> String {
    if let tree { return "\(tree)" }
    treeAttempts += 1
    let answer = seed.ask(failures: 1)
    tree = seed.value.map { $0 * 10 }
    return tree.map(String.init) ?? answer
  }

  var summary: String { "seed: \(seed.summary), tree: attempts: \(treeAttempts)" }
}
