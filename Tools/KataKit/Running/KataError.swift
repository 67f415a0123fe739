import Foundation

/// What a command's exit code says.
public enum ExitCode: Int32, Sendable {
  /// Done: what was asked for holds.
  case done = 0
  /// Not done: the answer isn't right yet, or the proof falls short.
  case notDone = 1
  /// The command line makes no sense.
  case usage = 2
  /// This machine or folder can't do it: no toolchain, read-only, disk full.
  case environment = 3
}

/// A failure that one sentence explains, with what to do next in it.
public struct KataError: Error, CustomStringConvertible {
  public let description: String
  public let exitCode: ExitCode

  public init(_ sentence: String, _ exitCode: ExitCode) {
    description = sentence
    self.exitCode = exitCode
  }

  /// A file that can't be written, told by its cause.
  static func cannotWrite(_ path: String, _ error: any Error) -> KataError {
    let code = (error as? CocoaError)?.code
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    if code == .fileWriteOutOfSpace || underlying?.code == Int(ENOSPC) {
      return diskFull
    }
    return KataError(
      "\(path) can't be written; check that this folder is yours and not read-only.", .environment)
  }

  static let diskFull = KataError(
    "The disk is full; free some space ('make clean' removes what was built) and try again.",
    .environment)
}

extension KataError {
  /// Whether an error keeps every kata from being judged, and not only this one or some.
  ///
  /// A build that failed may be one answer's fault, such as one on which the compiler itself dies; so
  /// the machine is only blamed for what can be seen of it.
  func isOfMachine(in house: House) -> Bool {
    exitCode != .notDone
      && (description == KataError.diskFull.description || Toolchain.find("swift") == nil
        || !FileManager.default.isWritableFile(atPath: house.root.path))
  }
}
