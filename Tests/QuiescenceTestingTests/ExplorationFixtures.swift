import Foundation
import KataPoints
import Synchronization
import Testing

@testable import QuiescenceTesting

/// Code under test that says by itself where its points are, as a compiler's would.
func point(_ line: Int = #line) {
  kata_points_reach(UInt(line), nil, 0, kata_access_none, nil)
}

extension ExplorationTests {
  /// What an exploration comes to that may well find something.
  func finding(_ body: () -> Exploration) -> Exploration {
    var exploration = Exploration()
    withKnownIssue(isIntermittent: true) { exploration = body() }
    return exploration
  }

  /// A box for one value, in which a taker waits for it.
  final class Box: Sendable {
    let stored = Mutex<Int?>(nil)
    let filled = DispatchSemaphore(value: 0)

    func put(_ value: Int) {
      point()
      stored.withLock { $0 = value }
      point()
      filled.signal()
    }

    func take() -> Int? {
      point()
      filled.wait()
      point()
      return stored.withLock { $0.take() }
    }
  }

  var box: ModelledSubject<Box, [Int]> {
    ModelledSubject(model: [], { Box() }, tearDown: { for _ in 1...4 { $0.filled.signal() } })
  }

  var put: ModelledCall<Box, [Int]> {
    ModelledCall("put(1)") {
      $0.put(1)
    } step: { elements in
      elements.append(1)
      return .returns
    }
  }

  var take: ModelledCall<Box, [Int]> {
    ModelledCall("take()") {
      $0.take()
    } step: { elements in
      elements.isEmpty ? .waits : .returns(elements.removeFirst())
    }
  }
}
