import Dispatch
import Foundation
import Synchronization

/// A process that runs in a group of its own, so that it ends with everything it started.
///
/// Its output is read as it arrives, and only the beginning and the end are kept. Only ``stop()``
/// is thread-safe: one thread starts the process and watches it.
package final class ChildProcess: Sendable {
  /// How a process ended.
  package enum Ending: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  let process = Process()
  /// Whether it may leave processes behind in groups of their own.
  private let mayLeaveOthers: Bool
  private let collected: CappedOutput
  /// Receives the output as well, if it's wanted for each test.
  private let printed: PrintedText?
  private let reading = DispatchSemaphore(value: 0)
  /// Left when the process has ended.
  let end = DispatchGroup()
  /// Its reading end reaches the end of file once the process has ended.
  private let life = Pipe()
  /// A variable in the environment of the process and of all that it starts.
  private let mark = "\(ProcessRegistry.mark)/\(UUID().uuidString)"

  /// Creates a process with these variables in addition to the `inherited` environment.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:],
    beside inherited: [String: String] = ProcessInfo.processInfo.environment,
    in directory: URL, outputCap: Int = 64 * 1024, mayLeaveOthers: Bool = true,
    printing printed: PrintedText? = nil
  ) {
    self.printed = printed
    self.mayLeaveOthers = mayLeaveOthers
    collected = CappedOutput(cap: outputCap)
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    let marked = environment.merging(["KATA_RUN": String(mark.dropFirst("KATA_RUN=".count))]) { $1 }
    process.environment = inherited.merging(marked) { $1 }
    process.currentDirectoryURL = directory
    process.standardInput = FileHandle.nullDevice
  }

  /// Starts the process.
  package func start() throws {
    let pipe = Pipe()
    Self.widen(pipe)
    process.standardOutput = pipe
    process.standardError = pipe
    let (life, end) = (life, end)
    process.terminationHandler = { _ in
      try? life.fileHandleForWriting.close()
      end.leave()
    }
    end.enter()
    do {
      try ProcessRegistry.start(process)
    } catch {
      end.leave()
      throw error
    }
    // A thread, not a dispatch queue: reading blocks until the last writer has closed its end.
    let (reading, collected, printed) = (reading, collected, printed)
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread {
      collected.append(contentsOf: handle) { printed?.take($0) }
      reading.signal()
    }
  }

  var isRunning: Bool { process.isRunning }

  var identifier: Int32 { process.processIdentifier }

  /// The state of the process; nil if it has ended.
  var status: ProcessStatus? { ProcessStatus(of: process.processIdentifier) }

  /// The state of the process and of all that it has started.
  var tree: [ProcessStatus] { ProcessStatus.tree(of: process.processIdentifier) }

  /// Kills the process, its whole group and what it has started.
  ///
  /// Does nothing if it has ended.
  package func stop() {
    let group = process.processIdentifier
    guard group > 0 else { return }
    if process.isRunning {
      ProcessRegistry.stop(group)
    } else {
      kill(-group, SIGKILL)
    }
  }

  /// Waits until one of the descriptors is readable or the process has ended, for at most the given
  /// time.
  func wait(orFor descriptors: [Int32], milliseconds: Int32) {
    var polled = (descriptors + [life.fileHandleForReading.fileDescriptor])
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&polled, nfds_t(polled.count), milliseconds)
  }

  /// Waits until the process has ended, or kills it once `stop` is set; kills what it left behind,
  /// and returns how it ended.
  package func waitForEnd(stop signal: CancellationFlag = CancellationFlag()) -> Ending {
    signal.whileListening({ [weak self] in self?.stop() }, do: waitForExit)
    stop()
    if mayLeaveOthers { OrphanProcesses.stop(markedBy: mark) }
    ProcessRegistry.remove(process.processIdentifier)
    // A process that left the group may still hold the pipe; it isn't waited for.
    _ = reading.wait(timeout: .now() + 1)
    return process.terminationReason == .exit
      ? .exited(process.terminationStatus) : .killed(signal: process.terminationStatus)
  }

  /// What the process has printed so far: all of it, or its beginning and its end.
  package var output: String { collected.text }
}

/// The beginning and the end of what a process prints.
final class CappedOutput: Sendable {
  private struct Kept {
    var head = Data()
    var tail = Data()
    var dropped = 0
  }

  private let kept = Mutex(Kept())
  private let cap: Int

  init(cap: Int) {
    self.cap = cap
  }

  /// Reads from a pipe until its last writer has closed its end.
  ///
  /// `onBytes` is called with each part.
  func append(contentsOf pipe: FileHandle, onBytes: (UnsafeRawBufferPointer) -> Void = { _ in }) {
    // One buffer for everything: a flood of output takes as little memory as a line.
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(pipe.fileDescriptor, &buffer, buffer.count)
      if count > 0 {
        append(Data(buffer[..<count]))
        buffer.withUnsafeBytes { onBytes(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        // Waits a little to read many lines at once, so that the process rarely has to wait.
        usleep(1000)
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }

  func append(_ data: Data) {
    kept.withLock { kept in
      var rest = data[...]
      if kept.head.count < cap / 2 {
        let part = rest.prefix(cap / 2 - kept.head.count)
        kept.head.append(contentsOf: part)
        rest = rest.dropFirst(part.count)
      }
      kept.tail.append(contentsOf: rest)
      if kept.tail.count > cap {
        kept.dropped += kept.tail.count - cap / 2
        kept.tail = Data(kept.tail.suffix(cap / 2))
      }
    }
  }

  var text: String {
    kept.withLock { kept in
      let gap = kept.dropped > 0 ? "\n… \(kept.dropped) bytes left out …\n" : ""
      return String(decoding: kept.head, as: UTF8.self) + gap
        + String(decoding: kept.tail, as: UTF8.self)
    }
  }
}
