import Foundation
import Testing

@testable import KataTesting

@Suite(.serialized, .kata) struct KVOProbeTests {
  @Test func `notices can be observed here`() {
    #expect(KVOProbe.isObservable)
  }

  @Test(arguments: [HandmadeOperation.Spelling.keys, .shortKeys, .keyPaths])
  func `a right operation's notices are recorded in order with the values inside them`(
    spelling: HandmadeOperation.Spelling
  ) {
    let operation = HandmadeOperation(spelling: spelling)
    let probe = KVOProbe(operation)
    operation.begin()
    operation.end()
    #expect(
      probe.notices == [
        .init(.will(.isExecuting), isExecuting: false, isFinished: false),
        .init(.did(.isExecuting), isExecuting: true, isFinished: false),
        .init(.will(.isExecuting), isExecuting: true, isFinished: false),
        .init(.will(.isFinished), isExecuting: true, isFinished: false),
        .init(.did(.isExecuting), isExecuting: false, isFinished: true),
        .init(.did(.isFinished), isExecuting: false, isFinished: true),
      ])
  }

  @Test(arguments: [
    KVOProbe.Announcement.will(.isExecuting), .did(.isExecuting), .will(.isFinished),
    .did(.isFinished),
  ])
  func `a missing notice shows`(missing: KVOProbe.Announcement) {
    let operation = HandmadeOperation(silentAbout: missing)
    let probe = KVOProbe(operation)
    operation.begin()
    operation.end()
    #expect(probe.notices(of: missing).isEmpty)
    let wanted: [(KVOProbe.Announcement, Int)] = [
      (.will(.isExecuting), 2), (.did(.isExecuting), 2), (.will(.isFinished), 1),
      (.did(.isFinished), 1),
    ]
    for (announcement, count) in wanted where announcement != missing {
      let isLone = KVOProbe.dropsLoneDid && missing.did == announcement
      #expect(probe.notices(of: announcement).count == (isLone ? 0 : count))
    }
  }

  @Test func `notices around no change show the same value twice`() {
    let operation = HandmadeOperation(changesFirst: true)
    let probe = KVOProbe(operation)
    operation.begin()
    #expect(
      probe.notices == [
        .init(.will(.isExecuting), isExecuting: true, isFinished: false),
        .init(.did(.isExecuting), isExecuting: true, isFinished: false),
      ])
  }

  @Test func `an operation without notices leaves none`() {
    let probe = KVOProbe(BlockOperation {})
    #expect(probe.notices.isEmpty)
    #expect(probe.showing("None.").rawValue.contains("(no notices)"))
  }

  @Test func `only the watched operation is recorded, and only while a probe lives`() {
    let watched = HandmadeOperation()
    let other = HandmadeOperation()
    var probe: KVOProbe? = KVOProbe(watched)
    other.begin()
    #expect(probe?.notices.isEmpty == true)
    watched.begin()
    #expect(probe?.notices.count == 2)
    probe = nil
    watched.end()

    let second = KVOProbe(watched)
    let third = KVOProbe(watched)
    watched.begin()
    #expect(second.notices.count == 2)
    #expect(third.notices == second.notices)
  }

  @Test func `Foundation still learns what is announced`() throws {
    for spelling in [HandmadeOperation.Spelling.keys, .shortKeys, .keyPaths] {
      let operation = HandmadeOperation(spelling: spelling)
      let probe = KVOProbe(operation)
      let dependent = BlockOperation {}
      dependent.addDependency(operation)
      let queue = OperationQueue()
      queue.addOperations([operation, dependent], waitUntilFinished: false)
      eventually("The queue never started it.") { operation.isExecuting }
      runUntilQuiet()
      #expect(!dependent.isFinished)
      operation.end()
      eventually("The queue never heard of its end.") { dependent.isFinished }
      #expect(probe.notices(of: .did(.isFinished)).count == 1)
    }
  }

  @Test func `a closure runs inside each notice, on its thread, before the reading`() throws {
    let operation = HandmadeOperation()
    let seen = Seen()
    let probe = KVOProbe(operation) { announcement in
      seen.add(announcement, on: Thread.current)
      if announcement == .did(.isExecuting) { operation.makeFinished() }
    }
    let thread = try mustReturn("begin") {
      operation.begin()
      return ObjectIdentifier(Thread.current)
    }
    #expect(seen.announcements == [.will(.isExecuting), .did(.isExecuting)])
    #expect(seen.threads == [thread, thread])
    #expect(probe.notices.map(\.isFinished) == [false, true])
  }

  @Test func `notices from many threads are all recorded`() throws {
    let operation = HandmadeOperation()
    let probe = KVOProbe(operation)
    try TestThread.race("notifier", threads: 4) { _ in
      for _ in 0..<50 {
        operation.willChangeValue(forKey: "isReady")
        operation.didChangeValue(forKey: "isReady")
      }
    }
    #expect(probe.notices(of: .will(.isReady)).count == 200)
    #expect(probe.notices(of: .did(.isReady)).count == 200)
  }

  @Test(.enabled(if: KVOProbe.dropsLoneDid, "Only Apple's platforms, and their rehearsal, do so."))
  func `a did counts only behind its will on the same thread`() throws {
    let operation = HandmadeOperation()
    let probe = KVOProbe(operation)
    operation.willChangeValue(forKey: "isFinished")
    try mustReturn("didChangeValue") { operation.didChangeValue(forKey: "isFinished") }
    #expect(probe.notices.map(\.announcement) == [.will(.isFinished)])
    operation.didChangeValue(forKey: "finished")
    #expect(probe.notices.map(\.announcement) == [.will(.isFinished), .did(.isFinished)])
    operation.didChangeValue(forKey: "isFinished")
    #expect(probe.notices.count == 2)
  }

  @Test(.enabled(if: KVOProbe.dropsLoneDid, "Only Apple's platforms, and their rehearsal, do so."))
  func `Foundation's notices of readiness are heard`() {
    let first = HandmadeOperation()
    let second = HandmadeOperation()
    second.addDependency(first)
    let probe = KVOProbe(second)
    first.begin()
    first.end()
    #expect(probe.notices(of: .did(.isReady)).count == 1)
    second.cancel()
    #expect(probe.notices(of: .did(.isReady)).count == 2)
  }

  // MARK: - Fixtures

  /// What was heard inside notices, and where.
  private final class Seen: Sendable {
    // Safe: guarded by `lock`.
    private nonisolated(unsafe) var heard: [(KVOProbe.Announcement, ObjectIdentifier)] = []
    private let lock = NSLock()

    func add(_ announcement: KVOProbe.Announcement, on thread: Thread) {
      lock.withLock { heard.append((announcement, ObjectIdentifier(thread))) }
    }

    var announcements: [KVOProbe.Announcement] { lock.withLock { heard.map(\.0) } }
    var threads: [ObjectIdentifier] { lock.withLock { heard.map(\.1) } }
  }
}

extension KVOProbe.Announcement {
  /// The second half of this announcement.
  fileprivate var did: Self {
    switch self {
    case .will(let key), .did(let key): .did(key)
    }
  }
}
