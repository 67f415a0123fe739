import Foundation
import KataTesting
import Testing

@Suite struct OpaqueMirrorTests {
  @Test func `a failed expectation doesn't look into one`() {
    let seen = SharedCounter()
    let closed = Closed(inside: Inside(seen: seen))
    withKnownIssue {
      #expect(closed.isEmpty)
      #expect(!closed.isFull)
      #expect(closed === Closed(inside: Inside(seen: seen)))
    }
    #expect(seen.value == 0)
  }

  @Test func `nor into an operation`() {
    let seen = SharedCounter()
    let operation = Work(inside: Inside(seen: seen))
    withKnownIssue { #expect(operation.isFinished) }
    #expect(seen.value == 0)
  }

  // What the type is for: should this fail one day, it is needed no longer.
  @Test func `it does look into any other object`() {
    let seen = SharedCounter()
    let open = Open(inside: Inside(seen: seen))
    withKnownIssue { #expect(open.isEmpty) }
    #expect(seen.value > 0)
  }
}

/// Counts how often it is looked at.
private struct Inside: CustomReflectable {
  let seen: SharedCounter

  var customMirror: Mirror {
    seen.increment()
    return Mirror(self, children: [])
  }
}

private final class Closed: OpaqueMirror {
  let inside: Inside
  let isFull = true

  init(inside: Inside) { self.inside = inside }

  var isEmpty: Bool { false }
}

private final class Open {
  let inside: Inside

  init(inside: Inside) { self.inside = inside }

  var isEmpty: Bool { false }
}

private final class Work: Operation, @unchecked Sendable {  // Safe: nothing changes.
  let inside: Inside

  init(inside: Inside) { self.inside = inside }
}
