import Foundation

/// Doesn't predict: runs each program beforehand and records its letters.
public enum ExecutionOrder {
  public static let asyncToOwnQueue = Rehearsal.letters(3) { stage in
    stage.print("A")
    stage.own.async { stage.print("B") }
    stage.print("C")
  }

  public static let syncToAnotherQueue = Rehearsal.letters(4) { stage in
    stage.print("A")
    stage.own.async { stage.print("B") }
    stage.other.sync { stage.print("C") }
    stage.print("D")
  }

  public static let asyncWithinAsync = Rehearsal.letters(5) { stage in
    stage.own.async {
      stage.print("A")
      stage.own.async { stage.print("B") }
      stage.print("C")
    }
    stage.own.async { stage.print("D") }
    stage.print("E")
  }

  public static let suspendedQueue = Rehearsal.letters(4) { stage in
    stage.other.suspend()
    stage.other.async { stage.print("A") }
    stage.print("B")
    stage.other.resume()
    stage.other.sync { stage.print("C") }
    stage.print("D")
  }

  public static let twoQueuesAndAGroup = Rehearsal.letters(4) { stage in
    let group = DispatchGroup()
    stage.other.suspend()
    stage.other.async(group: group) { stage.print("A") }
    stage.third.async(group: group) {
      stage.print("B")
      stage.other.resume()
    }
    group.notify(queue: stage.own) { stage.print("C") }
    group.wait()
    stage.print("D")
  }

  public static let asyncAfterToOwnQueue = Rehearsal.letters(3) { stage in
    stage.own.async { stage.print("A") }
    stage.own.asyncAfter(deadline: .now()) { stage.print("B") }
    stage.print("C")
  }

  public static let asyncAfterToAnotherQueue = Rehearsal.letters(3) { stage in
    let group = DispatchGroup()
    group.enter()
    stage.own.async { stage.print("A") }
    stage.other.asyncAfter(deadline: .now() + 0.01) {
      stage.print("B")
      group.leave()
    }
    group.wait()
    stage.print("C")
  }
}

private final class Rehearsal: Sendable {
  let own = DispatchQueue(label: "rehearsal.own")
  let other = DispatchQueue(label: "rehearsal.other")
  let third = DispatchQueue(label: "rehearsal.third")
  private let count = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var printed: [String] = []

  func print(_ letter: String) {
    lock.withLock { printed.append(letter) }
    count.signal()
  }

  static func letters(_ count: Int, _ program: @Sendable (Rehearsal) -> Void) -> [String] {
    let stage = Rehearsal()
    stage.own.sync { program(stage) }
    for _ in 0..<count { stage.count.wait() }
    return stage.lock.withLock { stage.printed }
  }
}
