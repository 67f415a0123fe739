import Foundation
import KataTesting
import Synchronization
import Testing

@testable import KataKit

@Suite struct ResourceLimitsTests {
  private static let gigabyte = 1 << 30

  @Test(arguments: [(64, 4, 16), (6, 3, 4), (2, 1, 1)])
  func `limits leave the machine room`(machine: Int, plain: Int, sanitized: Int) {
    let memory = UInt64(machine * Self.gigabyte)
    let limits = [false, true].map { ResourceLimits(sanitized: $0, machineMemory: memory) }
    #expect(limits[0].memory == plain * Self.gigabyte)
    #expect(limits[1].memory / Self.gigabyte == sanitized)
  }

  @Test func `what processes use is added up`() {
    let limits = ResourceLimits(sanitized: false, machineMemory: UInt64(5 * Self.gigabyte))
    func status(threads: Int = 1, bytes: Int = 0) -> ProcessStatus {
      ProcessStatus(
        process: 7, parent: 1, group: 7, threads: threads, residentBytes: bytes,
        processorSeconds: 0,
        isStopped: false)
    }
    #expect(limits.excess(of: [status(threads: 1000), status(threads: 1000)]) == nil)
    #expect(
      limits.excess(of: [status(threads: 1000), status(threads: 1001)])?
        .hasPrefix("It started more than 2,000 threads and was killed") == true)
    let half = limits.memory / 2
    #expect(limits.excess(of: [status(bytes: half), status(bytes: half)]) == nil)
    #expect(
      limits.excess(of: [status(bytes: half), status(bytes: half + 1)])?
        .hasPrefix("It used more than 2.5 GB of memory and was killed") == true)
  }
}

@Suite(.kata) struct ProcessStatusTests {
  @Test func `a process is seen with what it has started, also in groups of their own`() throws {
    let process = ChildProcess(
      "/bin/sh", ["-c", "sleep 1000 & echo $!; wait"], in: URL(filePath: "/"))
    try process.start()
    while !process.output.contains("\n") { usleep(1_000) }
    let child = try #require(Int32(process.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    setpgid(child, child)
    #expect(process.tree.count == 2)
    #expect(process.tree.contains { $0.process == child && !$0.isStopped && $0.threads == 1 })
    #expect((process.status?.residentBytes ?? 0) > 0)
    kill(child, SIGSTOP)
    // The system stops it a moment later.
    while ProcessStatus(of: child)?.isStopped == false { usleep(1_000) }
    #expect(ProcessStatus(of: child)?.isStopped == true)
    process.stop()
    #expect(process.waitForEnd() == .killed(signal: SIGKILL))
    #expect(hasEnded(child))
  }

  @Test func `a process that is gone has no status`() throws {
    let process = ChildProcess("/bin/sh", ["-c", "exit 0"], in: URL(filePath: "/"))
    try process.start()
    _ = process.waitForEnd()
    #expect(process.status == nil)
  }
}

@Suite struct SurroundingsTests {
  private let kata = Catalogue.katas[0]

  private func after(
    _ change: (Repository) throws -> Void, _ check: (Repository, Verdict) throws -> Void
  )
    throws
  {
    try Fixtures.withEmptyRepository { repository in
      try repository.write("mine", to: repository.learnerPath(of: kata))
      try repository.write("spec", to: repository.specPath(of: kata))
      try repository.write("tool", to: "Tools/tool.swift")
      let files = ProtectedFiles(of: kata, in: repository, WorkspaceSnapshot(of: repository))
      try change(repository)
      try check(repository, Verdict(kata, .passed).taking(files.compare()))
    }
  }

  @Test func `a run that leaves everything as it was is worth its verdict`() throws {
    try after({ _ in }) { _, verdict in
      #expect(verdict.kind == .passed && verdict.notes.isEmpty)
    }
  }

  @Test func `a learner's file that is gone is put back`() throws {
    let path = Fixtures.repository.learnerPath(of: kata)
    var mark: FileStamp?
    try after({
      mark = FileStamp($0.url(path))
      try FileManager.default.removeItem(at: $0.url(path))
    }) { repository, verdict in
      #expect(FileStamp(repository.url(path)) == mark)
      #expect((try? repository.text(path)) == "mine")
      #expect(verdict.kind == .passed)
      #expect(verdict.notes.first?.hasPrefix("\(path) was deleted") == true)
    }
  }

  @Test func `a file that was saved meanwhile is left alone, and what was judged is kept`() throws {
    let path = Fixtures.repository.learnerPath(of: kata)
    try after({ try $0.write("saved", to: path) }) { repository, verdict in
      #expect((try? repository.text(path)) == "saved")
      #expect((try? repository.text(".build/judged/\(kata.file)")) == "mine")
      #expect(verdict.notes.first?.contains("the text before") == true)
    }
  }

  @Test func `a run that changes a spec or a tool is no pass`() throws {
    let spec = Fixtures.repository.specPath(of: kata)
    try after({ try $0.write("SPEC", to: spec) }) { _, verdict in
      #expect(verdict.kind == .failed)
      #expect(verdict.notes.first?.contains("restore it with 'git checkout -- \(spec)'") == true)
    }
    try after({ try FileManager.default.removeItem(at: $0.url("Tools/tool.swift")) }) {
      _, verdict in
      #expect(verdict.kind == .failed)
      #expect(verdict.notes.first?.hasPrefix("Tools/tool.swift was deleted") == true)
    }
    try after({ try $0.write("", to: "Tests/New.swift") }) { _, verdict in
      #expect(verdict.kind == .failed)
      #expect(verdict.notes.first?.hasPrefix("Tests/New.swift appeared") == true)
    }
  }
}

@Suite struct WatchdogTests {
  private let start = SuspendingClock.now

  /// Whether a watchdog barks in the end, where a process is looked at every second: what it has computed
  /// since the last look, and whether all its threads sleep.
  private func barks(
    _ looks: [(computed: Double, isAsleep: Bool)], fedAt feeding: Int? = nil
  ) -> Bool {
    var watchdog = Watchdog(timeout: 2, start: start)
    var computed = 0.0
    var judgement = Watchdog.Judgement.alive
    for (index, look) in looks.enumerated() {
      let now = start.advanced(by: .seconds(index + 1))
      if index == feeding { watchdog.feed(now) }
      computed += look.computed
      judgement = watchdog.look(
        computed: computed, isAsleep: look.isAsleep, hasBegun: true, now)
      if judgement == .stalled { return true }
    }
    return false
  }

  @Test func `a process that computes for longer than it may has hung`() {
    #expect(!barks(Array(repeating: (1.0, false), count: 5)))
    #expect(barks(Array(repeating: (1.0, false), count: 7)))
    #expect(!barks(Array(repeating: (8.0, false), count: 5)), "Threads at once have no more time.")
  }

  @Test func `a process that sleeps for longer than it may has hung`() {
    #expect(!barks(Array(repeating: (0.0, true), count: 5)))
    #expect(barks(Array(repeating: (0.0, true), count: 7)))
  }

  @Test func `a process that gets no core hasn't`() {
    #expect(!barks(Array(repeating: (0.0, false), count: 60)))
    #expect(!barks(Array(repeating: (0.05, false), count: 60)))
    #expect(barks(Array(repeating: (0.0, false), count: 200)), "There is a far bound.")
  }

  @Test func `progress is worth a new start`() {
    let looks = Array(repeating: (computed: 1.0, isAsleep: false), count: 7)
    #expect(!barks(looks, fedAt: 3))
  }
}

@Suite struct FileLockTests {
  @Test func `the lock's owner is alone, but for a command that is to stop`() throws {
    try Fixtures.withEmptyRepository { repository in
      let file = repository.url("some.lock")
      let stop = CancellationFlag()
      stop.stop()
      try FileLock.whileHolding(file.path) {
        #expect(!isFree(file))
        var goesAhead = false
        try FileLock.whileHolding(file.path, stop: stop) { goesAhead = true }
        #expect(goesAhead)
      }
      #expect(isFree(file))
    }
  }

  private func isFree(_ file: URL) -> Bool {
    let descriptor = open(file.path, O_RDWR)
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}

@Suite struct StopSignalTests {
  @Test func `who listens is reported once, also when it is late`() {
    let stop = CancellationFlag()
    let told = Mutex(0)
    stop.whileListening({ told.withLock { $0 += 1 } }) {
      stop.stop()
      #expect(told.withLock { $0 } == 1)
    }
    stop.whileListening({ told.withLock { $0 += 1 } }) {}
    #expect(told.withLock { $0 } == 2)
    stop.stop()
    #expect(told.withLock { $0 } == 2, "No listener is left.")
  }
}
