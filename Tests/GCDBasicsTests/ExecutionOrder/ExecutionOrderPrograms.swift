import Dispatch
import KataTesting

/// The queues that a program uses, and what it prints.
///
/// A program runs as one block on `own`. Queues are serial, and new for each run.
struct ProgramStage: Sendable {
  let own = DispatchQueue(label: "katas.spec.own")
  let other = DispatchQueue(label: "katas.spec.other")
  let third = DispatchQueue(label: "katas.spec.third")

  /// One row for each queue, one mark for each letter.
  let timeline = Timeline()
  private let places: Places

  init() {
    places = Places(["own": own, "other": other, "third": third])
  }

  /// Prints a letter onto the timeline.
  func print(_ letter: String) { timeline.mark(places.current, letter) }

  /// The letters so far, in the order of printing.
  var printed: [String] {
    timeline.events.map { event in
      if case .mark(let letter) = event.kind { letter } else { "?" }
    }
  }
}

// MARK: - The programs

// Word for word as `ExecutionOrder` shows them. Their order follows from the queues alone: no two
// threads print unless one waits for the other, so no scheduler can change it.

extension ProgramStage {
  func asyncToOwnQueue() {
    print("A")
    own.async { print("B") }
    print("C")
  }

  func syncToAnotherQueue() {
    print("A")
    own.async { print("B") }
    other.sync { print("C") }
    print("D")
  }

  func asyncWithinAsync() {
    own.async {
      print("A")
      own.async { print("B") }
      print("C")
    }
    own.async { print("D") }
    print("E")
  }

  func suspendedQueue() {
    other.suspend()
    other.async { print("A") }
    print("B")
    other.resume()
    other.sync { print("C") }
    print("D")
  }

  func twoQueuesAndAGroup() {
    let group = DispatchGroup()
    other.suspend()
    other.async(group: group) { print("A") }
    third.async(group: group) {
      print("B")
      other.resume()
    }
    group.notify(queue: own) { print("C") }
    group.wait()
    print("D")
  }

  func asyncAfterToOwnQueue() {
    own.async { print("A") }
    own.asyncAfter(deadline: .now()) { print("B") }
    print("C")
  }

  func asyncAfterToAnotherQueue() {
    let group = DispatchGroup()
    group.enter()
    own.async { print("A") }
    other.asyncAfter(deadline: .now() + 0.01) {
      print("B")
      group.leave()
    }
    group.wait()
    print("C")
  }
}
