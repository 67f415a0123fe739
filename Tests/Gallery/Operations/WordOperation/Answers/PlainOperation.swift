import Dispatch
import Foundation

// A right answer: no block operation at all. The blocks are kept in an array, and a serial queue
// guards the words.

public final class WordOperation: Operation, @unchecked Sendable {  // Safe: never changes.
  public typealias Perform =
    @Sendable (
      _ iterations: Int, _ body: @escaping @Sendable (_ iteration: Int) -> Void
    ) -> Void

  private let blocks: [@Sendable () -> String]
  private let perform: Perform
  private let desk: Sandbox

  public init(
    _ blocks: [@Sendable () -> String],
    perform: @escaping Perform = { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) },
    completion: @escaping @Sendable (_ words: [String]) -> Void
  ) {
    self.blocks = blocks
    self.perform = perform
    let desk = Sandbox(places: blocks.count)
    self.desk = desk
    super.init()
    completionBlock = { completion(desk.words) }
  }

  public var words: [String] { desk.words }

  public override func main() {
    perform(blocks.count) { [blocks, desk, unowned self] place in
      if isCancelled { return }
      desk.put(blocks[place](), at: place)
    }
  }
}

private final class Sandbox: Sendable {
  // Safe: only touched on `queue`.
  private nonisolated(unsafe) var places: [String?]
  private let queue = DispatchQueue(label: "katas.answers.word-operation")

  init(places count: Int) {
    places = Array(repeating: nil, count: count)
  }

  func put(_ word: String, at place: Int) {
    queue.async { self.places[place] = word }
  }

  var words: [String] { queue.sync { places.compactMap(\.self) } }
}
