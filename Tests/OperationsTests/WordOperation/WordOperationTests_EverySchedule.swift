import Foundation
import KataTesting
import Testing

extension WordOperationTests {
  // MARK: - Every schedule

  @Test func `in every schedule the word of each block stays`() {
    typealias Call = ModelledCall<SharedOperation, Void>
    let start = Call("start()") { $0.start() }
    let second = Call("the second block") { $0.runSecond() }
    let read = Call("words") { $0.read() }
    let alone = ModelledSubject({ SharedOperation(threads: 1) }, check: { $0.complaint })
    let shared = ModelledSubject(
      { SharedOperation(threads: 2) }, check: { $0.complaint }, tearDown: { $0.tearDown() })
    explore([
      Scenario(alone, threads: [[start], [read]]),
      Scenario(shared, threads: [[start], [second]]),
    ])
  }
}

/// An operation of two blocks, and what its completion receives.
private final class SharedOperation: Sendable, OpaqueMirror {
  private let operation: WordOperation
  private let body = LockedValue<(@Sendable (Int) -> Void)?>(nil)
  private let hasBegun = Gate("perform begins")
  private let hasEnded = Gate("the second block has returned")
  private let completions = LockedValue<[[String]]>([])

  /// - Parameter threads: With two threads, the second block is left to another one.
  init(threads: Int) {
    operation = WordOperation(
      [{ "many" }, { "hands" }],
      perform: { [body, hasBegun, hasEnded] iterations, run in
        guard threads == 2, iterations == 2 else {
          WordPerformers.forwards(iterations, run)
          return
        }
        body.set(run)
        hasBegun.open()
        run(0)
        hasEnded.wait()
        body.set(nil)
      },
      completion: { [completions] words in completions.append(words) })
  }

  func start() { operation.start() }
  func read() { _ = operation.words }

  /// Runs the second block, once the operation has begun.
  func runSecond() {
    hasBegun.wait()
    body.value?(1)
    hasEnded.open()
  }

  func tearDown() {
    hasBegun.open()
    hasEnded.open()
  }

  /// What is wrong in the end.
  var complaint: String? {
    let (words, received) = (operation.words, completions.value)
    if words == ["many", "hands"], received == [words] { return nil }
    return """
      Two blocks have made the words many and hands. `words` must have both, and it has \(words); \
      `completion` must receive both once, and it received \(received).
      """
  }
}
