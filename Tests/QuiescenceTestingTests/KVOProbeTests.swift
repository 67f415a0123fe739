import Foundation
import Testing

@testable import QuiescenceTesting

@Suite(.serialized, .quiescence) struct KVOProbeTests {
  @Test func `notices can be observed here`() {
    #expect(KVOProbe.isObservable)
  }

  @Test(arguments: [Spelling.keys, .shortKeys, .keyPaths])
  func `a right operation's notices are recorded in order with the values inside them`(
    spelling: Spelling
  ) {
    let operation = Handmade(spelling: spelling)
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
    let operation = Handmade(silentAbout: missing)
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
    let operation = Handmade(changesFirst: true)
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
    let watched = Handmade()
    let other = Handmade()
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
    for spelling in [Spelling.keys, .shortKeys, .keyPaths] {
      let operation = Handmade(spelling: spelling)
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
    let operation = Handmade()
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
    let operation = Handmade()
    let probe = KVOProbe(operation)
    try race("notifier", threads: 4) { _ in
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
    let operation = Handmade()
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
    let first = Handmade()
    let second = Handmade()
    second.addDependency(first)
    let probe = KVOProbe(second)
    first.begin()
    first.end()
    #expect(probe.notices(of: .did(.isReady)).count == 1)
    second.cancel()
    #expect(probe.notices(of: .did(.isReady)).count == 2)
  }

  // MARK: - Fixtures

  /// How an operation names what it announces.
  enum Spelling: Sendable {
    case keys, shortKeys, keyPaths
  }

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

  /// An operation that announces as it is told to, right or wrong.
  // Safe: what changes is guarded by `lock`.
  private final class Handmade: Operation, @unchecked Sendable {
    private let spelling: Spelling
    private let missing: KVOProbe.Announcement?
    private let changesFirst: Bool
    // Safe: guarded by `lock`.
    private nonisolated(unsafe) var executing = false
    private nonisolated(unsafe) var finished = false
    private let lock = NSLock()

    init(
      spelling: Spelling = .keys, silentAbout missing: KVOProbe.Announcement? = nil,
      changesFirst: Bool = false
    ) {
      self.spelling = spelling
      self.missing = missing
      self.changesFirst = changesFirst
    }

    override var isExecuting: Bool { lock.withLock { executing } }
    override var isFinished: Bool { lock.withLock { finished } }
    override func start() { begin() }

    func begin() {
      if changesFirst { set(executing: true) }
      announce(.will(.isExecuting))
      set(executing: true)
      announce(.did(.isExecuting))
    }

    func end() {
      announce(.will(.isExecuting))
      announce(.will(.isFinished))
      set(executing: false)
      makeFinished()
      announce(.did(.isExecuting))
      announce(.did(.isFinished))
    }

    func makeFinished() { lock.withLock { finished = true } }

    private func set(executing: Bool) { lock.withLock { self.executing = executing } }

    private func announce(_ announcement: KVOProbe.Announcement) {
      guard announcement != missing else { return }
      switch (announcement, spelling) {
      case (.will(let key), .keys): willChangeValue(forKey: key.rawValue)
      case (.did(let key), .keys): didChangeValue(forKey: key.rawValue)
      case (.will(let key), .shortKeys): willChangeValue(forKey: short(key))
      case (.did(let key), .shortKeys): didChangeValue(forKey: short(key))
      case (.will(let key), .keyPaths): (self as Operation).willChangeValue(for: path(key))
      case (.did(let key), .keyPaths): (self as Operation).didChangeValue(for: path(key))
      }
    }

    private func short(_ key: KVOProbe.Key) -> String {
      switch key {
      case .isReady: "ready"
      case .isExecuting: "executing"
      case .isFinished: "finished"
      }
    }

    private func path(_ key: KVOProbe.Key) -> KeyPath<Operation, Bool> {
      switch key {
      case .isReady: \.isReady
      case .isExecuting: \.isExecuting
      case .isFinished: \.isFinished
      }
    }
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
