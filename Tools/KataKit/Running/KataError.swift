import Foundation

/// The meaning of a command's exit code.
package enum ExitCode: Int32, Sendable {
  /// Done: everything asked for holds.
  case done = 0
  /// Not done: the answer isn't right yet, or the proof falls short.
  case notDone = 1
  /// The command line isn't valid.
  case usage = 2
  /// This machine or folder doesn't allow it: no toolchain, read-only, disk full.
  case environment = 3
  /// Not done, but the contract of `Operation` holds: only the kata asks for more.
  case keepsContract = 4
  /// The spec passes, but races weren't checked, since Thread Sanitizer doesn't run here.
  case racesNotChecked = 5
}

extension ExitCode {
  /// The exit code for verdicts on katas.
  package init(_ verdicts: [Verdict.Kind]) {
    let isPassed = verdicts.allSatisfy { [.passed, .racesNotChecked].contains($0) }
    self = !isPassed ? .notDone : verdicts.contains(.racesNotChecked) ? .racesNotChecked : .done
  }
}

/// A failure that one sentence explains, including what to do next.
package struct KataError: Error, CustomStringConvertible {
  /// Causes that other code needs to distinguish; the sentences for them are below.
  package enum Cause: Equatable, Sendable {
    case diskFull
    case noToolchain
    /// Something can't be written.
    case notWritable
    /// A build failed, and no file of an answer is to blame.
    case buildFailed
    /// Any other cause.
    case other
  }

  package let description: String
  package let exitCode: ExitCode
  package let cause: Cause

  package init(_ sentence: String, _ exitCode: ExitCode, cause: Cause = .other) {
    description = sentence
    self.exitCode = exitCode
    self.cause = cause
  }

  /// The error for a file that can't be written, by its cause.
  package static func cannotWrite(_ path: String, _ error: (any Error)? = nil) -> KataError {
    let code = (error as? CocoaError)?.code
    let underlying = error.map { $0 as NSError }?.userInfo[NSUnderlyingErrorKey] as? NSError
    if code == .fileWriteOutOfSpace || underlying?.code == Int(ENOSPC)
      || (error as? POSIXError)?.code == .ENOSPC
    {
      return diskFull
    }
    return KataError(
      "\(path) can't be written; check that this folder is yours and not read-only.", .environment,
      cause: .notWritable)
  }

  /// The error for a file of the repository that can't be read.
  static func cannotRead(_ path: String) -> KataError {
    KataError("\(path) can't be read; restore it with 'git checkout -- \(path)'.", .environment)
  }

  package static let diskFull = KataError(
    "The disk is full; free some space ('make clean' removes what was built) and try again.",
    .environment, cause: .diskFull)

  static let noToolchain = KataError(
    "There is no 'swift' on the PATH; install Swift 6.3 or newer from swift.org/install.",
    .environment, cause: .noToolchain)

  /// The error for a failed build that no answer has caused.
  static func building(_ reason: String) -> KataError {
    KataError(
      "The build failed: \(reason) Try 'make clean', then 'make doctor'.", .environment,
      cause: .buildFailed)
  }

  /// The error for a failed build without a compiler message.
  static func building(_ log: String, below repository: Repository) -> KataError {
    if log.contains("No space left on device") { return .diskFull }
    if log.contains("Permission denied") || log.contains("Read-only file system")
      || log.contains("don’t have permission") || log.contains("don't have permission")
    {
      return KataError(
        "The build can't write below \(repository.root.path); check that this folder is yours and not "
          + "read-only.", .environment, cause: .notWritable)
    }
    let lines = log.split(separator: "\n").map(String.init)
    let errors = lines.filter { $0.contains("error: ") || $0.contains("Program crashed: ") }
    return .building(errors.first ?? lines.last ?? "it printed nothing.")
  }
}

extension KataError {
  /// Whether the error concerns the way of judging, so that another way may work.
  var isOfWay: Bool { exitCode == .environment && !isOfMachine }

  /// Whether the error keeps all katas from being judged, and not only some.
  package var isOfMachine: Bool { [.diskFull, .noToolchain, .notWritable].contains(cause) }
}
